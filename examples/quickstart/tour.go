package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/opsroom-go/opsroom"
	"github.com/opsroom-go/opsroom/agentctl"
	"github.com/opsroom-go/opsroom/attachments/attachmentstest"
	"github.com/opsroom-go/opsroom/insights"
	"github.com/opsroom-go/opsroom/problem"
)

// A tour calls the operations one after the other.
type tour struct {
	config   config
	backends *backends
	out      printer
}

func (t *tour) walk(ctx context.Context) error {
	t.introduce()
	for _, step := range []func(context.Context) error{
		t.listRuns, t.listExceptions, t.raiseException, t.checkResume,
		t.readInsights, t.listAttachments, t.refusedInput, t.problem, t.tools,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintln(t.out.w, "\nAll five operations were called.")
	return nil
}

func (t *tour) introduce() {
	fmt.Fprintln(t.out.w, "opsroom quickstart")
	t.out.table(
		[]string{"control plane", where(t.config.controlURL)},
		[]string{"Everruns", where(t.config.everrunsURL)},
		[]string{"insights", where(insightsServer(t.config))},
	)
}

func where(url string) string {
	if url == "" {
		return "in memory"
	}
	return url
}

func (t *tour) listRuns(ctx context.Context) error {
	t.out.step("Which runs does the mission have?",
		fmt.Sprintf("list_agent_runs: agentctl ListRuns(MissionID: %q)", t.config.mission))
	page, err := t.backends.control.ListRuns(ctx, agentctl.ListRunsParams{MissionID: t.config.mission})
	if err != nil {
		return err
	}
	rows := [][]string{{"RUN", "STATUS", ""}}
	for _, run := range page.Runs {
		rows = append(rows, []string{run.ID, string(run.Status), comment(run.Status)})
	}
	t.out.note("%s, newest first:", counted(len(page.Runs), "run"))
	t.out.table(rows...)
	return nil
}

func comment(status agentctl.RunStatus) string {
	switch {
	case status.Terminal():
		return "has ended"
	case status.Parked():
		return "waits for a person"
	}
	return ""
}

func (t *tour) listExceptions(ctx context.Context) error {
	t.out.step("Which exceptions are open?", "list_agent_exceptions: agentctl Exceptions(Status: open), a walk over all pages")
	rows := [][]string{{"EXCEPTION", "RUN", "SEVERITY", "CATEGORY"}}
	for exception, err := range t.backends.control.Exceptions(ctx, agentctl.ListExceptionsParams{Status: agentctl.ExceptionOpen}) {
		if err != nil {
			return err
		}
		rows = append(rows, []string{exception.ID, exception.RunID, string(exception.Severity), exception.Category})
	}
	t.out.note("%s:", counted(len(rows)-1, "open exception"))
	t.out.table(rows...)
	return nil
}

func (t *tour) raiseException(ctx context.Context) error {
	t.out.step("Stop a run: something is wrong with it.",
		fmt.Sprintf("raise_agent_exception: agentctl RaiseException(RunID: %q, Category: \"evidence.missing\", …)", t.config.runID))
	if !t.config.raise {
		t.out.note("skipped: give -raise to block a run of a real control plane")
		return nil
	}
	exception, err := t.backends.control.RaiseException(ctx, agentctl.RaiseExceptionParams{
		RunID:    t.config.runID,
		Category: "evidence.missing",
		Severity: agentctl.SeverityWarning,
		Message:  "The invoice has no purchase order.",
		Detail:   map[string]any{"invoice": "INV-20604"},
	})
	if err != nil {
		return err // an *agentctl.RaiseError says whether it may have been recorded
	}
	t.out.note("%s", recorded(exception))
	return nil
}

// recorded tells what the server says of a new exception. The contract promises neither
// an id nor a status.
func recorded(exception agentctl.Exception) string {
	text := "recorded"
	if exception.ID != "" {
		text += " as " + exception.ID
	}
	if exception.Status != "" {
		text += ", " + string(exception.Status)
	}
	return text
}

func (t *tour) checkResume(ctx context.Context) error {
	t.out.step("Can that run be resumed?",
		fmt.Sprintf("agentctl CheckResume(%q, %q)", t.config.mission, t.config.runID))
	check, err := t.backends.control.CheckResume(ctx, t.config.mission, t.config.runID)
	if err != nil {
		return err
	}
	t.out.note("the run's status is %q, the conclusion %q:", check.Run.Status, check.Readiness)
	for _, reason := range check.Reasons {
		t.out.note("  %s", reason)
	}
	return nil
}

func (t *tour) readInsights(ctx context.Context) error {
	t.out.step("What was found out about an agent?",
		fmt.Sprintf("agent_insights_get: insights Page(AgentName: %q, Limit: 4), over MCP", t.config.insight))
	page, err := t.backends.insights.Page(ctx, insights.Query{
		ProjectEndpoint: t.config.project,
		AgentName:       t.config.insight,
		Limit:           4,
	})
	if err != nil {
		return err
	}
	rows := [][]string{{"SEVERITY", "STATUS", "CATEGORY", "TITLE"}}
	for _, insight := range page.Insights {
		rows = append(rows, []string{string(insight.Severity), string(insight.Status), insight.Category, insight.Title})
	}
	t.out.note("%s on this page, more follow: %t", counted(len(page.Insights), "insight"), page.HasMore)
	t.out.table(rows...)
	return nil
}

func (t *tour) listAttachments(ctx context.Context) error {
	t.out.step("Which MCP servers can an agent use, and what is in the way?",
		fmt.Sprintf("list_agent_mcp_attachments: attachments List(%q)", t.config.agent))
	list, err := t.backends.attachments.List(ctx, t.config.agent)
	if err != nil {
		return err
	}
	rows := [][]string{{"ATTACHMENT", "SOURCE", "STATE", "REMEDY"}}
	for _, a := range list.Attachments {
		rows = append(rows, []string{a.Name, string(a.Source), string(a.State), string(a.Remedy())})
	}
	t.out.note("%s:", counted(len(list.Attachments), "attachment"))
	t.out.table(rows...)
	return nil
}

func (t *tour) refusedInput(ctx context.Context) error {
	t.out.step("Wrong arguments are refused before anything is sent, all at once.",
		`raise_agent_exception, as a tool: {"runID": "..", "category": "Spend Limit", "severity": "high", "message": ""}`)
	for _, tool := range t.backends.control.Tools() {
		if tool.Name != "raise_agent_exception" {
			continue
		}
		result, err := tool.Call(ctx, []byte(`{"runID": "..", "category": "Spend Limit", "severity": "high", "message": ""}`))
		input, ok := errors.AsType[*opsroom.InputError](err)
		if !ok {
			return fmt.Errorf("an *opsroom.InputError was expected, not %w", err)
		}
		t.out.note("*opsroom.InputError with %d failures; a model reads:", len(input.Failures))
		t.out.quote(result.Text)
	}
	return nil
}

func (t *tour) problem(ctx context.Context) error {
	agent := t.config.agent
	if t.backends.everruns != nil {
		t.backends.everruns.Fail(attachmentstest.Status(http.StatusTooManyRequests))
	} else {
		agent = "no-such-agent"
	}
	t.out.step("Errors of the server are problem details (RFC 9457).",
		fmt.Sprintf("list_agent_mcp_attachments: attachments List(%q)", agent))
	_, err := t.backends.attachments.List(ctx, agent)
	if err == nil {
		t.out.note("there was none: the server knows even that agent")
		return nil
	}
	p, ok := errors.AsType[*problem.Problem](err)
	if !ok {
		return fmt.Errorf("a *problem.Problem was expected, not %w", err)
	}
	t.out.note("*problem.Problem; a model reads:")
	t.out.quote(err.Error())
	t.out.note("and a program:")
	rows := [][]string{{"status", fmt.Sprint(p.Status)}, {"code", p.Code}}
	if wait, ok := p.RetryAfter(); ok {
		rows = append(rows, []string{"retry after", wait.String()})
	}
	for _, action := range p.AllowedActions {
		rows = append(rows, []string{"allowed action", action.Rel + ": " + action.Hint})
	}
	t.out.table(rows...)
	return nil
}

func (t *tour) tools(context.Context) error {
	t.out.step("The same operations as tools, for the framework of your choice.", "Tools() of the three clients")
	rows := [][]string{{"TOOL", "READ-ONLY", "DESTRUCTIVE"}}
	for _, tools := range [][]opsroom.Tool{t.backends.control.Tools(), t.backends.insights.Tools(), t.backends.attachments.Tools()} {
		for _, tool := range tools {
			rows = append(rows, []string{tool.Name, fmt.Sprint(tool.Annotations.ReadOnly), fmt.Sprint(tool.Annotations.Destructive)})
		}
	}
	t.out.table(rows...)
	return nil
}
