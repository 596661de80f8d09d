package agentctl

import (
	"context"
	"sync"
)

// maxReadAhead bounds how many requests a single walk has under way.
const maxReadAhead = 16

// A source gets the pages of one walk, some of them before they are asked for.
type source[T any] struct {
	ctx     context.Context
	cancel  context.CancelFunc
	page    func(ctx context.Context, limit int, offset int64) ([]T, error)
	ahead   int
	pending map[window]*pendingPage[T]
	running sync.WaitGroup
}

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

func newSource[T any](ctx context.Context, page func(context.Context, int, int64) ([]T, error), ahead int) *source[T] {
	s := &source[T]{page: page, ahead: min(ahead, maxReadAhead), pending: map[window]*pendingPage[T]{}}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return s
}

// close ends what is under way and waits for it, so that nothing outlives the walk.
func (s *source[T]) close() {
	s.cancel()
	s.running.Wait()
}

// next returns the page at the window, and drops pages that were fetched in
// vain when it is not one of them.
func (s *source[T]) next(limit int, offset int64) ([]T, error) {
	w := window{limit, offset}
	p, found := s.pending[w]
	if !found {
		s.drop(func(window) bool { return true })
		return s.page(s.ctx, limit, offset)
	}
	delete(s.pending, w)
	defer p.cancel()
	<-p.done
	return p.rows, p.err
}

// foresee starts to fetch the page at the window and the ones that will follow
// it if the list stays as it is.
func (s *source[T]) foresee(limit int, offset, advance int64) {
	wanted := map[window]bool{}
	for i := range s.ahead {
		wanted[window{limit, offset + int64(i)*advance}] = true
	}
	s.drop(func(w window) bool { return !wanted[w] })
	for i := range s.ahead {
		w := window{limit, offset + int64(i)*advance}
		if _, started := s.pending[w]; !started {
			s.start(w)
		}
	}
}

func (s *source[T]) drop(which func(window) bool) {
	for w, p := range s.pending {
		if which(w) {
			p.cancel()
			delete(s.pending, w)
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
