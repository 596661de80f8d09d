package insights

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind classifies by the first rule that applies; "" if none does. The exact
// wordings of the service are not published, so all but the router's are
// guesses.
func (c complaint) kind() Kind {
	text := strings.ToLower(c.beginning())
	statuses := statusesIn(text)
	if c.status != 0 {
		statuses = append(statuses, c.status)
	}
	for _, rule := range rules {
		covered := func(status int) bool { return slices.Contains(rule.statuses, status) }
		if rule.unless != nil && rule.unless.MatchString(text) {
			continue
		}
		if rule.words.MatchString(text) || slices.ContainsFunc(statuses, covered) {
			return rule.kind
		}
	}
	return ""
}

// A rule gives the kind to texts with certain words and to certain statuses.
type rule struct {
	kind     Kind
	words    *regexp.Regexp
	statuses []int
	unless   *regexp.Regexp // words with which the rule does not apply
}

// rules are tried in order; the later a rule, the vaguer its words. A 404 comes
// last, as a failure of the service: that there is no monitor it has to say in
// words, since it may as well mean that the whole feature is off.
var rules = []rule{
	{kind: ToolUnavailable, words: words(
		`^`+learnIntro,
		`\btool\b:? *(\S{1,160} )?(was |is )?not found\b`,
		`\btool\b:? *(\S{1,160} ){1,2}is not available\b`,
		`\b(unknown|no such) tool\b`,
		`\bfailed to initialize tool loaders\b`,
		`\brequires local execution\b`,
	)},
	{kind: InvalidArgument, words: words(
		`\bmissing required (option|parameter|argument|propert)`,
		`\bargument (was |is )?not found\b`,
		`\b(continuation|page|paging|pagination|skip) ?token (is |was |has )?(invalid|expired|not )`,
	)},
	{kind: Unauthorized, words: words(
		`\bun-?authori[sz]ed\b`, `\bnot authori[sz]ed\b`, `\bforbidden\b`, `\bunauthenticated\b`,
		`\b(access|permission) (is |was )?denied\b`, `\bpermissiondenied\b`, `\bauth\w+failed\b`, `\binvalid_?(authentication)?token\b`,
		`\b(invalid|expired) (access |bearer |auth |authentication |security |id )?token\b`, `\btoken (is |was |has )?(invalid|expired|revoked)\b`,
		`\b(no|not have|n't have) (the )?(required |necessary )?(access|permissions?|authori[sz]ation|rights?)\b`, `\baadsts\d+`,
	), statuses: []int{401, 403}},
	{kind: Backend, words: words(`\bno (response|answer|reply|connection)\b`)},
	{kind: NoMonitor, words: words(
		`monitors?\b[^.\n]{0,160}\b(not found|does not exist|doesn't exist|do not exist|not been (created|set up))`,
		`\b(not found|could not find|cannot find|couldn't find|can't find)\b[^.\n]{0,80}monitors?\b`,
		`\bnot have an?\b[^.\n]{0,40}monitor\b`,
		`monitors? (is|are|was|were) (required|missing|deleted|removed|not (configured|enabled|registered|created|set up))\b`,
		`monitors? (has|have) been (deleted|removed)\b`,
		`\b(requires?|needs?|without) an? ([\w-]+ ){0,3}[\w-]*monitor\b`,
	)},
	{
		kind:  NoMonitor,
		words: words(`\bno ([\w'"…-]+ ){0,4}['"]?[\w-]*monitors?\b`),
		// "No data from the monitor" says that there is one.
		unless: words(`\bno ([\w'"…-]+ ){1,3}(from|of|by|to|in|on|at|with|because|since|could|can|was|were|is|are|the) ([\w'"…-]+ ){0,3}[\w-]*monitors?\b`),
	},
	{kind: Unauthorized, words: words(
		`\bauthentication\b`, `\bauthori[sz]ation\b`, `\bpermissions?\b`, `credential`, `\bdenied\b`,
		`\b(access|bearer|id) token\b`, `\bsign(ed)? ?in\b`, `\blogin\b`, `\blogged in\b`, `\b(to|not|please|must) log in\b`,
	)},
	{kind: Backend, words: words(
		`\binternal (server )?error\b`, `\bbad gateway\b`, `\bunavailable\b`, `\btimed? ?out\b`, `\btimeout\b`,
		`\bconnection\b`, `\btoo many requests\b`, `\brate limit`, `\bthrottl`,
	), statuses: []int{408, 429, 500, 501, 502, 503, 504}},
	{kind: InvalidArgument, words: words(
		`\binvalid\b`, `\bnot (a )?valid\b`, `\bmust be\b`, `\b(is|are) required\b`, `\bbad request\b`, `\bout of range\b`,
		`\bvalidation\b`, `\b(un|not )supported\b`, `\bunrecogni[sz]ed\b`, `\bunknown (parameter|argument|option|property|filter|value)`,
		`\bargument\b.{0,40}\bnot found\b`, `\binvalid_\w`,
	), statuses: []int{400, 422}},
	{kind: Backend, words: words(`\berror occurred\b`, `\bnot found\b`, `\bfailed to\b`), statuses: []int{404}},
}

func words(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)` + strings.Join(patterns, "|"))
}

// A number is only taken for an HTTP status where the words around it say so;
// "got 500" may speak of a limit.
var statusPatterns = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:http(?:/[0-9.]+)?|status|status ?code|response)\b[^0-9\n]{0,40}\b([45][0-9][0-9])\b`),
	regexp.MustCompile(`\berror[ :(]{1,3}([45][0-9][0-9])\b`),
	regexp.MustCompile(`^\[?([45][0-9][0-9])\b`),
}

func statusesIn(text string) []int {
	var statuses []int
	for _, pattern := range statusPatterns {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			status, _ := strconv.Atoi(match[1])
			statuses = append(statuses, status)
		}
	}
	return statuses
}
