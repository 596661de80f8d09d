package problem

import (
	"mime"
	"strconv"
	"strings"
)

// preference is how much a client wants a media type: the quality that the
// most specific of the matching ranges gives it.
type preference struct {
	specificity int
	quality     float64
}

func (p *preference) offer(specificity int, quality float64) {
	if specificity > p.specificity || specificity == p.specificity && quality > p.quality {
		*p = preference{specificity, quality}
	}
}

// How specific a media range is for a problem.
const (
	anyType     = 1 + iota // */*
	anySubtype             // application/*
	plainFormat            // application/json for application/problem+json
	exactType
)

// prefersXML reports whether Accept (RFC 9110, section 12.5.1) asks for XML
// rather than JSON, which is the default and wins a tie. A client that names
// plain JSON or XML means the problem type of that format. Browsers name XML
// next to HTML and do not: there, plain XML does not count.
func prefersXML(accept []string) bool {
	var json, xml, plainXML preference
	browser := false
	for _, line := range accept {
		for element := range splitUnquoted(line) {
			mediaRange, quality, ok := parseRange(element)
			if !ok {
				continue
			}
			switch mediaRange {
			case "*/*":
				json.offer(anyType, quality)
				xml.offer(anyType, quality)
			case "application/*":
				json.offer(anySubtype, quality)
				xml.offer(anySubtype, quality)
			case "application/json":
				json.offer(plainFormat, quality)
			case "application/xml", "text/xml":
				plainXML.offer(plainFormat, quality)
			case MediaTypeJSON:
				json.offer(exactType, quality)
			case MediaTypeXML:
				xml.offer(exactType, quality)
			case "text/html", "application/xhtml+xml":
				browser = true
			}
		}
	}
	if !browser {
		xml.offer(plainXML.specificity, plainXML.quality)
	}
	return xml.quality > json.quality
}

// parseRange reads a media range and its quality; false is for one that makes
// no sense.
func parseRange(element string) (mediaRange string, quality float64, ok bool) {
	if !strings.Contains(element, ";") {
		return strings.ToLower(strings.TrimSpace(element)), 1, true
	}
	mediaRange, params, err := mime.ParseMediaType(element)
	if err != nil {
		return "", 0, false
	}
	q, given := params["q"]
	if !given {
		return mediaRange, 1, true
	}
	quality, err = strconv.ParseFloat(q, 64)
	return mediaRange, quality, err == nil && quality >= 0 && quality <= 1
}

// splitUnquoted yields the elements of a comma-separated list, in which a
// quoted string may hold commas.
func splitUnquoted(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, quoted := 0, false
		for i := 0; i < len(list); i++ {
			switch {
			case quoted && list[i] == '\\':
				i++
			case list[i] == '"':
				quoted = !quoted
			case list[i] == ',' && !quoted:
				if !yield(list[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(list[start:])
	}
}
