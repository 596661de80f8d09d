package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A printer lays the tour out for reading.
type printer struct {
	w     io.Writer
	steps int
}

// step begins a step: what it is about, and the call that is made.
func (p *printer) step(title, call string) {
	p.steps++
	fmt.Fprintf(p.w, "\n%d. %s\n   %s\n", p.steps, title, call)
}

// note prints a line about what came back.
func (p *printer) note(format string, values ...any) {
	fmt.Fprintf(p.w, "   "+format+"\n", values...)
}

// counted is a number of things, as people write it.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// table prints rows in columns. The first row is the heading.
func (p *printer) table(rows ...[]string) {
	w := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(w, "     %s\n", strings.Join(row, "\t"))
	}
	_ = w.Flush()
}

// quote prints a longer text, wrapped.
func (p *printer) quote(text string) {
	const width = 92
	line := "     "
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > width && strings.TrimSpace(line) != "" {
			fmt.Fprintln(p.w, strings.TrimRight(line, " "))
			line = "     "
		}
		line += word + " "
	}
	fmt.Fprintln(p.w, strings.TrimRight(line, " "))
}
