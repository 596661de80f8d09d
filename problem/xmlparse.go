package problem

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// xmlNamespace is the namespace of problem details in XML (RFC 9457, Appendix B).
const xmlNamespace = "urn:ietf:rfc:7807"

// What an XML document may hold before it is refused.
const (
	maxXMLDepth    = 128
	maxXMLElements = 10000
)

var (
	errXMLBounds  = errors.New("problem: the XML document is too deep or has too many elements")
	errXMLDoctype = errors.New("problem: a problem in XML has no document type declaration")
	errXMLRoot    = errors.New("problem: the XML document is no problem")
)

// interpretMarkup takes a problem from what starts with "<". Only a document
// in the namespace of problem details is one.
func (p *Problem) interpretMarkup(content []byte) BodyKind {
	if isHTML(p.body.MediaType) || looksLikeHTML(content) {
		return BodyHTML
	}
	declared := p.body.MediaType == MediaTypeXML
	if !declared && !bytes.Contains(content, []byte(xmlNamespace)) {
		return BodyMarkup
	}
	root, err := parseXML(content)
	switch {
	case err == nil:
		p.decodeXML(root)
		return BodyProblem
	case declared && err != errXMLRoot:
		return BodyMalformed
	}
	return BodyMarkup
}

func looksLikeHTML(content []byte) bool {
	start := bytes.ToLower(content[:min(len(content), len("<!doctype html"))])
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

// UnmarshalXML reads a document that stands alone, as [Problem.UnmarshalJSON]
// does. Each value is text, since XML has no types: an extension is a JSON
// string, an array where all children are named i, or an object where there
// are other children; text between children does not count.
func (p *Problem) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	if !isProblemElement(start) {
		return errXMLRoot
	}
	budget := maxXMLElements
	root, err := readElement(d, start, maxXMLDepth, &budget)
	if err != nil {
		return err
	}
	*p = Problem{}
	p.decodeXML(root)
	p.Status = p.memberStatus
	return nil
}

func isProblemElement(e xml.StartElement) bool {
	return e.Name.Space == xmlNamespace && e.Name.Local == "problem"
}

// decodeXML takes the members from the document's JSON equivalent, so that
// both formats obey one set of rules.
func (p *Problem) decodeXML(root *xmlElement) {
	p.present |= fromXML
	p.decode(root.appendObject(nil))
	// XML Schema collapses the white space around a URI.
	p.Type, p.Instance = strings.Trim(p.Type, " \t\r\n"), strings.Trim(p.Instance, " \t\r\n")
}

// xmlElement is an element of the namespace of problem details. Attributes,
// comments, and elements of other namespaces mean nothing in this format, nor
// do names with a colon, which encoding/xml lets pass at either end.
type xmlElement struct {
	name     string
	text     []byte
	children []*xmlElement
}

// parseXML reads a whole document. Entities other than the five of XML itself,
// document type declarations and encodings other than UTF-8 are refused, so
// nothing is ever expanded or fetched.
func parseXML(content []byte) (*xmlElement, error) {
	d := xml.NewDecoder(bytes.NewReader(content))
	var root *xmlElement
	for {
		token, err := d.Token()
		if err == io.EOF && root != nil {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if root != nil || !isProblemElement(t) {
				return nil, errXMLRoot
			}
			budget := maxXMLElements
			if root, err = readElement(d, t, maxXMLDepth, &budget); err != nil {
				return nil, err
			}
		case xml.Directive:
			return nil, errXMLDoctype
		case xml.CharData:
			if len(skipSpace(t)) > 0 {
				return nil, errXMLRoot
			}
		}
	}
}

// readElement reads the element that has just started.
func readElement(d *xml.Decoder, start xml.StartElement, depth int, budget *int) (*xmlElement, error) {
	if *budget--; depth == 0 || *budget < 0 {
		return nil, errXMLBounds
	}
	e := &xmlElement{name: start.Name.Local}
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			child, err := readElement(d, t, depth-1, budget)
			if err != nil {
				return nil, err
			}
			if t.Name.Space == xmlNamespace && !strings.Contains(child.name, ":") {
				e.children = append(e.children, child)
			}
		case xml.CharData:
			e.text = append(e.text, t...)
		case xml.EndElement:
			return e, nil
		case xml.Directive:
			return nil, errXMLDoctype
		}
	}
}

// appendValue writes the element's value as JSON: text without children, an
// array if all children are named i, else an object.
func (e *xmlElement) appendValue(b []byte) []byte {
	switch {
	case len(e.children) == 0:
		return appendQuoted(b, string(e.text))
	case slices.ContainsFunc(e.children, func(c *xmlElement) bool { return c.name != "i" }):
		return e.appendObject(b)
	}
	b = append(b, '[')
	for i, child := range e.children {
		if i > 0 {
			b = append(b, ',')
		}
		b = child.appendValue(b)
	}
	return append(b, ']')
}

// appendObject writes the children as members. Of a name that is given twice
// the last one counts, as in JSON.
func (e *xmlElement) appendObject(b []byte) []byte {
	last := make(map[string]int, len(e.children))
	for i, child := range e.children {
		last[child.name] = i
	}
	o := object{b: append(b, '{')}
	for i, child := range e.children {
		if last[child.name] == i {
			o.name(child.name)
			o.b = child.appendValue(o.b)
		}
	}
	return o.close()
}
