package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/opsroom-go/opsroom/insights"
)

// writeTable writes the insights for a person, and as the last line how far they
// go.
func writeTable(w io.Writer, found insights.Collection, failure error) error {
	if len(found.Insights) > 0 {
		if err := writeRows(w, found.Insights); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, summary(found, failure))
	return err
}

func writeRows(w io.Writer, rows []insights.Insight) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SEVERITY\tSTATUS\tCATEGORY\tTITLE\tTRACES")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", cell(string(row.Severity), 10), cell(string(row.Status), 10),
			cell(row.Category, 24), cell(row.Title, 64), traces(row))
	}
	fmt.Fprintln(table)
	return table.Flush()
}

func traces(row insights.Insight) string {
	if row.TraceCount == nil {
		return "-"
	}
	return fmt.Sprint(*row.TraceCount)
}

// cell makes an outside text fit for a cell of the table: one line of at most
// longest characters, with nothing in it that a terminal would obey.
func cell(text string, longest int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "-"
	}
	if runes := []rune(text); len(runes) > longest {
		return strings.TrimSpace(string(runes[:longest-1])) + "…"
	}
	return text
}
