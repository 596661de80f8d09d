package agentctltest

import (
	"encoding/json"
	"fmt"
	"time"
)

// DemoMission is the mission that [Demo] adds.
const DemoMission = "mission_supplier_payments"

// Demo fills the control plane with a small world to try things out on: the
// mission [DemoMission] with six runs, one of each status, and 124 exceptions
// of all severities, enough for several pages. All but four are resolved; three
// of the open ones block run_000003, and one, for information, is on the
// running run_000006.
//
//	run_000001  succeeded
//	run_000002  failed
//	run_000003  blocked
//	run_000004  cancelled
//	run_000005  waiting_approval
//	run_000006  running
func Demo() Option {
	return func(s *settings) { s.demo = true }
}

const (
	demoHistory     = 120 // resolved exceptions
	demoInterval    = 47 * time.Minute
	demoRunInterval = 18 * time.Hour
)

func (p *ControlPlane) fillDemo() {
	now := p.now().Truncate(time.Second)
	statuses := [...]string{"succeeded", "failed", statusBlocked, "cancelled", statusWaitingApproval, statusRunning}
	var runs []Run
	for i, status := range statuses {
		run := Run{
			MissionID: DemoMission, Status: status, MandateID: "mandate_payments_eu",
			CreatedAt: now.Add(-time.Duration(len(statuses)-i) * demoRunInterval),
		}
		if status == statusWaitingApproval {
			run.PendingApprovals = 1
		}
		runs = append(runs, p.AddRun(run))
	}
	for i := range demoHistory {
		e := demoKinds[i%len(demoKinds)]
		age := time.Duration(demoHistory-i) * demoInterval
		e.CreatedAt = now.Add(-age)
		e.RunID = runs[len(runs)-1-int(age/demoRunInterval)].ID
		e.Status = statusResolved
		e.Detail = json.RawMessage(fmt.Sprintf(`{"invoice":"INV-%d","attempt":%d}`, 20_400+i, 1+i%3))
		p.AddException(e)
	}
	for i, e := range demoOpen {
		e.CreatedAt = now.Add(-time.Duration(len(demoOpen)-i) * 9 * time.Minute)
		p.AddException(e)
	}
}

// demoKinds are the kinds of exceptions in the history.
var demoKinds = [...]Exception{
	{Category: "invoice.duplicate", Severity: "warning", Message: "An invoice with this number was paid before.", StepID: "step_match_invoice"},
	{Category: "evidence.missing", Severity: "info", Message: "The delivery note is not attached yet.", StepID: "step_collect_evidence"},
	{Category: "provider.timeout", Severity: "critical", Message: "The bank did not answer; whether the payment was made is not known.", StepID: "step_pay"},
	{Category: "supplier.bank-details-changed", Severity: "warning", Message: "The supplier's account differs from the one on file.", StepID: "step_verify_supplier"},
	{Category: "currency.rate-stale", Severity: "info", Message: "The exchange rate is older than a day.", StepID: "step_convert"},
}

// demoOpen are the exceptions that are open.
var demoOpen = [...]Exception{
	{
		RunID: "run_000003", Category: "policy.spend-limit", Severity: "critical", StepID: "step_pay",
		Message: "The payment of 18,250.00 EUR is over the mandate's limit of 15,000.00 EUR.",
		Detail:  json.RawMessage(`{"invoice":"INV-20517","amount":"18250.00","limit":"15000.00","currency":"EUR"}`),
	},
	{
		RunID: "run_000003", Category: "supplier.bank-details-changed", Severity: "warning", StepID: "step_verify_supplier",
		Message: "The supplier's account differs from the one on file.",
		Detail:  json.RawMessage(`{"supplier":"SUP-311","countryOnFile":"NL","countryNow":"LT"}`),
	},
	{
		RunID: "run_000003", Category: "evidence.missing", Severity: "warning", StepID: "step_collect_evidence",
		Message: "No purchase order could be found for the invoice.",
		Detail:  json.RawMessage(`{"invoice":"INV-20517"}`),
	},
	{
		RunID: "run_000006", Category: "currency.rate-stale", Severity: "info", StepID: "step_convert",
		Message: "The exchange rate is older than a day.",
		Detail:  json.RawMessage(`{"pair":"EUR/SEK","ageHours":31}`),
	},
}
