// Command insightsreport reads the insights that were generated for an agent and
// prints them as a table or as JSON. It says plainly whether they are all.
//
// It exits with 0 if they are, or if the total that was asked for was reached; 3
// if the reading ended too early, with what was read until then printed; 1 if
// nothing could be read; 2 if it was called wrongly.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/examples/mcp/internal/environment"
	"github.com/opsroom-go/opsroom/insights"
)

// The exit codes.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitIncomplete = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := program{getenv: os.Getenv, stdout: os.Stdout, stderr: os.Stderr, terminal: isTerminal(os.Stderr)}
	os.Exit(p.run(ctx, os.Args[1:]))
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A program is a run of insightsreport with what it needs from outside.
type program struct {
	getenv         func(string) string
	stdout, stderr io.Writer
	terminal       bool // stderr is one
}

func (p program) run(ctx context.Context, args []string) int {
	settings, err := parseFlags(args, p.stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage // the flag package has said why
	}
	client, source, err := environment.Insights(ctx, p.getenv)
	if err != nil {
		p.complain(err)
		if _, ok := errors.AsType[*environment.ValueError](err); ok {
			return exitUsage
		}
		return exitFailed
	}
	defer source.Close()
	if source.Where == "" {
		fmt.Fprintln(p.stderr, "insightsreport: reading the embedded backend, whose data are made up")
	}
	found, err := client.Collect(ctx, settings.query, p.options(settings)...)
	if err := p.print(settings, found, err); err != nil {
		p.complain(err)
		return exitFailed
	}
	return exitCode(err)
}

func (p program) options(settings settings) []insights.CollectOption {
	var options []insights.CollectOption
	if settings.total != 0 {
		options = append(options, insights.Total(settings.total))
	}
	if p.terminal {
		options = append(options, insights.Progress(func(pages, count int) {
			fmt.Fprintf(p.stderr, "page %d: %s so far\n", pages, counted(count, "insight"))
		}))
	}
	return options
}

// print writes the report. What is not part of it goes to stderr.
func (p program) print(settings settings, found insights.Collection, failure error) error {
	if settings.json {
		if failure != nil {
			p.complain(errors.New(summary(found, failure)))
		}
		return writeJSON(p.stdout, settings, found, failure)
	}
	if found.Pages == 0 {
		p.complain(cause(failure))
		return nil
	}
	return writeTable(p.stdout, found, failure)
}

func (p program) complain(err error) { fmt.Fprintln(p.stderr, "insightsreport:", err) }

func exitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if _, refused := errors.AsType[*opsroom.InputError](err); refused {
		return exitUsage // nothing was asked
	}
	if incomplete, ok := errors.AsType[*insights.Incomplete](err); ok && incomplete.Pages > 0 {
		return exitIncomplete
	}
	return exitFailed
}
