package exchange_test

import (
	"encoding/binary"
	"io"
)

// The frames of HTTP/2 (RFC 9113 section 6) that the faults need.
const (
	frameData     = 0x0
	frameHeaders  = 0x1
	frameReset    = 0x3
	frameSettings = 0x4
	framePing     = 0x6
	frameGoAway   = 0x7

	flagAck        = 0x1
	flagEndStream  = 0x1
	flagEndHeaders = 0x4

	codeNone     = 0x0
	codeProtocol = 0x1
	codeInternal = 0x2
	codeRefused  = 0x7
)

// An http2Peer speaks just enough HTTP/2 over plain TCP to spoil it.
type http2Peer struct{ *peer }

// overHTTP2 makes a connection handler of one for HTTP/2 streams, which gets the
// stream of each request in turn, with how many the connection has had before.
func overHTTP2(fault func(p http2Peer, stream uint32, before int)) func(*peer) {
	return func(p *peer) {
		h := http2Peer{p}
		if _, err := io.CopyN(io.Discard, p.reader, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
			return
		}
		h.frame(frameSettings, 0, 0, nil)
		for before := 0; ; before++ {
			stream := h.request()
			if stream == 0 {
				return
			}
			fault(h, stream, before)
		}
	}
}

// request reads the next request, counts it, and returns its stream; 0 if there
// is none.
func (h http2Peer) request() uint32 {
	for {
		var head [9]byte
		if _, err := io.ReadFull(h.reader, head[:]); err != nil {
			return 0
		}
		length := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
		payload := make([]byte, length)
		if _, err := io.ReadFull(h.reader, payload); err != nil {
			return 0
		}
		kind, flags := head[3], head[4]
		if kind == frameHeaders {
			h.server.seen.Add(1)
		}
		switch {
		case (kind == frameHeaders || kind == frameData) && flags&flagEndStream != 0:
			return binary.BigEndian.Uint32(head[5:])
		case kind == frameSettings && flags&flagAck == 0:
			h.frame(frameSettings, flagAck, 0, nil)
		case kind == framePing && flags&flagAck == 0:
			h.frame(framePing, flagAck, 0, payload)
		}
	}
}

func (h http2Peer) frame(kind, flags byte, stream uint32, payload []byte) {
	n := len(payload)
	frame := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	frame = binary.BigEndian.AppendUint32(frame, stream)
	_, _ = h.Write(append(frame, payload...))
}

func (h http2Peer) resetStream(stream, code uint32) {
	h.frame(frameReset, 0, stream, binary.BigEndian.AppendUint32(nil, code))
}

func (h http2Peer) goAway(last, code uint32) {
	h.frame(frameGoAway, 0, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), code))
}

// begin sends the headers of a 200: ":status" by its index in the static table,
// and a literal x-request-id (RFC 7541 sections 6.1 and 6.2.2).
func (h http2Peer) begin(stream uint32) {
	headers := append([]byte{0x88, 0x00, byte(len("x-request-id"))}, "x-request-id"...)
	headers = append(append(headers, byte(len("req-1"))), "req-1"...)
	h.frame(frameHeaders, flagEndHeaders, stream, headers)
}

func (h http2Peer) answer(stream uint32) {
	h.begin(stream)
	h.frame(frameData, flagEndStream, stream, []byte(goodBody))
}
