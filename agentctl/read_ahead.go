package agentctl

import (
	"context"
	"slices"
	"sync"
)

// maxReadAhead bounds how many pages a single walk reads ahead.
const maxReadAhead = 16

// A source gets the pages of one walk, some of them before they are asked for.
type source[T any] struct {
	ctx     context.Context
	cancel  context.CancelFunc
	page    func(ctx context.Context, limit int, offset int64) ([]T, error)
	pending map[window]*pendingPage[T]
	running sync.WaitGroup
}

// A window is the part of a list that a page covers.
type window struct {
	limit  int
	offset int64
}

type pendingPage[T any] struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when rows and err are set
	rows   []T
	err    error
}

func newSource[T any](ctx context.Context, page func(context.Context, int, int64) ([]T, error)) *source[T] {
	s := &source[T]{page: page, pending: map[window]*pendingPage[T]{}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// close ends what is under way and waits for it, so that nothing outlives the walk.
func (s *source[T]) close() {
	s.cancel()
	s.running.Wait()
}

// next returns the page at a window.
func (s *source[T]) next(limit int, offset int64) ([]T, error) {
	w := window{limit, offset}
	p, fetching := s.pending[w]
	if !fetching {
		return s.page(s.ctx, limit, offset)
	}
	delete(s.pending, w)
	defer p.cancel()
	<-p.done
	return p.rows, p.err
}

// fetch starts to fetch the pages at windows, and drops all others that are under way.
func (s *source[T]) fetch(windows []window) {
	for w, p := range s.pending {
		if !slices.Contains(windows, w) {
			p.cancel()
			delete(s.pending, w)
		}
	}
	for _, w := range windows {
		if _, fetching := s.pending[w]; !fetching {
			s.start(w)
		}
	}
}

func (s *source[T]) start(w window) {
	p := &pendingPage[T]{done: make(chan struct{})}
	ctx, cancel := context.WithCancel(s.ctx)
	p.cancel = cancel
	s.pending[w] = p
	s.running.Go(func() {
		defer close(p.done)
		p.rows, p.err = s.page(ctx, w.limit, w.offset)
	})
}
