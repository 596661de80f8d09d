package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Fault is one way for an answer to go wrong. The zero Fault is none at all.
// A Fault is a plain value that can be added to any number of queues.
type Fault struct {
	name  string
	serve func(*meeting)
}

// String names the fault, for test logs.
func (f Fault) String() string {
	if f.serve == nil {
		return "no fault"
	}
	return f.name
}

// AfterEffect returns a fault that lets the operation take effect first, throws
// its answer away, and then goes wrong as f does.
func (f Fault) AfterEffect() Fault {
	if f.serve == nil {
		return f
	}
	return Fault{name: f.name + " after the effect", serve: func(m *meeting) {
		m.perform()
		f.serve(m)
	}}
}

// Answer answers with the given status, headers and body instead of the
// operation, which does not take effect. No header is added, so a nil header
// means an answer without a content type. A status below 200 counts as 500.
func Answer(status int, header http.Header, body string) Fault {
	if status < 200 || status > 999 {
		status = http.StatusInternalServerError
	}
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if header.Get("Content-Type") == "" {
		header["Content-Type"] = nil // keeps net/http from guessing one
	}
	return Fault{name: fmt.Sprintf("answer %d", status), serve: func(m *meeting) {
		m.drain()
		a := &answer{status: status, header: header.Clone()}
		if status == http.StatusNoContent || status == http.StatusNotModified {
			a.begin(m.w, -1)
			return
		}
		a.send(m.w, []byte(body))
	}}
}

// ProxyPage answers with an HTML error page, as proxies and load balancers do.
func ProxyPage(status int) Fault {
	text := http.StatusText(status)
	page := fmt.Sprintf("<!DOCTYPE html>\n<html><head><title>%[1]d %[2]s</title></head><body><center><h1>%[1]d %[2]s</h1></center></body></html>\n", status, text)
	f := Answer(status, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, page)
	f.name = fmt.Sprintf("proxy page %d", status)
	return f
}

// Hang reads the request and never answers: it lasts until the client gives up
// or the queue is closed. The operation does not take effect.
func Hang() Fault {
	return Fault{name: "hang", serve: func(m *meeting) {
		m.drain()
		select {
		case <-m.r.Context().Done():
		case <-m.closed:
		}
		panic(http.ErrAbortHandler)
	}}
}

// Cut reads the request and closes the connection without a byte of an answer.
// The operation does not take effect.
//
// On a connection that has served a request before, net/http's client sends a
// GET that meets this a second time by itself.
func Cut() Fault {
	return Fault{name: "cut", serve: func(m *meeting) {
		m.drain()
		panic(http.ErrAbortHandler)
	}}
}

// CutBody lets the operation take effect, announces its whole answer, sends
// half of the body, and closes the connection.
func CutBody() Fault {
	return Fault{name: "cut body", serve: func(m *meeting) {
		a := m.perform()
		body := a.body.Bytes()
		a.begin(m.w, max(1, len(body)))
		_, _ = m.w.Write(body[:len(body)/2])
		_ = http.NewResponseController(m.w).Flush()
		panic(http.ErrAbortHandler)
	}}
}

// Delay lets the operation take effect and holds its answer back for d.
func Delay(d time.Duration) Fault {
	return Fault{name: "delay", serve: func(m *meeting) {
		a := m.perform()
		m.pause(d)
		a.send(m.w, a.body.Bytes())
	}}
}

// SlowBody lets the operation take effect and sends the body of its answer in
// pieces of size bytes, with a pause before each. A size below one counts as one.
func SlowBody(size int, pause time.Duration) Fault {
	size = max(1, size)
	return Fault{name: "slow body", serve: func(m *meeting) {
		a := m.perform()
		a.begin(m.w, a.body.Len())
		controller := http.NewResponseController(m.w)
		_ = controller.Flush()
		for piece := a.body.Next(size); len(piece) > 0; piece = a.body.Next(size) {
			m.pause(pause)
			_, _ = m.w.Write(piece)
			_ = controller.Flush()
		}
	}}
}

// pause waits for d. If the request ends before, so does its handler.
func (m *meeting) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-m.closed:
		panic(http.ErrAbortHandler)
	}
}

// PadBody lets the operation take effect and pads the body of its answer with
// white space to size bytes, so that nothing is wrong with it but its length,
// which is not announced.
func PadBody(size int64) Fault {
	return Fault{name: fmt.Sprintf("body of %d bytes", size), serve: func(m *meeting) {
		a := m.perform()
		a.begin(m.w, -1)
		_, _ = m.w.Write(a.body.Bytes())
		_ = http.NewResponseController(m.w).Flush() // commits to an answer without a length
		padding := bytes.Repeat([]byte(" "), 32<<10)
		for left := size - int64(a.body.Len()); left > 0; left -= int64(len(padding)) {
			if _, err := m.w.Write(padding[:min(left, int64(len(padding)))]); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	}}
}

// TruncateBody lets the operation take effect and answers with the first half of
// its body, correctly framed: what arrives is a whole answer of broken JSON.
func TruncateBody() Fault {
	return Fault{name: "truncated body", serve: func(m *meeting) {
		a := m.perform()
		a.send(m.w, a.body.Bytes()[:a.body.Len()/2])
	}}
}

// ContentType lets the operation take effect and labels its answer with another
// media type; "" means none.
func ContentType(mediaType string) Fault {
	return Fault{name: "content type " + strings.TrimSpace(mediaType), serve: func(m *meeting) {
		a := m.perform()
		a.header["Content-Type"] = nil
		if mediaType != "" {
			a.header["Content-Type"] = []string{mediaType}
		}
		a.send(m.w, a.body.Bytes())
	}}
}
