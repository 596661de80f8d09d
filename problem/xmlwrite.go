package problem

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
)

// MarshalXML writes the document as Appendix B of RFC 9457 has it. What the
// format cannot carry is left out: names that are no XML names, extensions
// nested deeper than 128 elements, and objects whose only member is named i,
// which would read back as arrays. Null, empty arrays and empty objects become
// empty elements, and characters that XML forbids U+FFFD.
func (p Problem) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	var inner bytes.Buffer
	p.writeXMLMembers(&inner)
	start := xml.StartElement{Name: xml.Name{Space: xmlNamespace, Local: "problem"}}
	return e.EncodeElement(struct {
		Members []byte `xml:",innerxml"`
	}{inner.Bytes()}, start)
}

// xmlDocument returns the whole XML document.
func (p *Problem) xmlDocument() []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<problem xmlns="` + xmlNamespace + `">`)
	p.writeXMLMembers(&b)
	b.WriteString("</problem>")
	return b.Bytes()
}

// writeXMLMembers writes the members of the JSON form as elements.
func (p *Problem) writeXMLMembers(b *bytes.Buffer) {
	for name, value := range members(p.appendJSON(nil)) {
		if nesting(value) < maxXMLDepth-1 {
			writeXMLMember(b, name, value)
		}
	}
}

func writeXMLMember(b *bytes.Buffer, name string, value json.RawMessage) {
	if !isXMLName(name) {
		return
	}
	b.WriteString("<" + name + ">")
	switch value[0] {
	case '{':
		writeXMLObject(b, value)
	case '[':
		for item := range elements(value) {
			writeXMLMember(b, "i", item)
		}
	case '"':
		_ = xml.EscapeText(b, []byte(unquote(value))) // a bytes.Buffer takes all
	case 'n':
	default:
		b.Write(value)
	}
	b.WriteString("</" + name + ">")
}

func writeXMLObject(b *bytes.Buffer, object []byte) {
	ambiguous := true
	for name := range members(object) {
		ambiguous = ambiguous && (name == "i" || !isXMLName(name))
	}
	if ambiguous {
		return
	}
	for name, value := range members(object) {
		writeXMLMember(b, name, value)
	}
}

var plainXMLName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`)

// isXMLName reports whether name can be the name of an element without a
// prefix. Beyond ASCII the editions of XML 1.0 differ: what encoding/xml reads
// is what all of them allow.
func isXMLName(name string) bool {
	if plainXMLName.MatchString(name) {
		return name != "xmlns" // encoding/xml gives it no namespace
	}
	if name == "" || strings.ContainsAny(name, " \t\r\n<>/:=\"'&") {
		return false
	}
	token, err := xml.NewDecoder(bytes.NewReader([]byte("<" + name + "/>"))).Token()
	start, ok := token.(xml.StartElement)
	return err == nil && ok && start.Name.Local == name
}
