package insights

import (
	"context"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/opsroom-go/opsroom/internal/rawjson"
)

// Pages walks over all pages that match the query, with the details of every
// insight, newest first, 100 a page, unless the query says otherwise. All pages
// are asked for with the same parameters; only "after" changes.
//
// A page is checked before it is yielded, and yielded unchanged. The walk ends
// when a page says that no more follow. Whatever ends it earlier is yielded
// once, last, as an [*Incomplete]; if the query was refused, as the error that
// [Client.Page] returns. Nothing is repeated behind the caller's back: a failed
// page ends the walk, and [Incomplete.After] is where to go on.
func (c *Client) Pages(ctx context.Context, query Query) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		w, err := c.newWalk(query, nil)
		if err != nil {
			yield(Page{}, err)
			return
		}
		for !w.done {
			page, _, err := w.next(ctx)
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// All walks over all insights that match the query, as [Client.Pages] does, and
// yields each id once: pages overlap when insights are created or change during
// the walk. The first one seen is the one yielded.
func (c *Client) All(ctx context.Context, query Query) iter.Seq2[Insight, error] {
	return func(yield func(Insight, error) bool) {
		w, err := c.newWalk(query, nil)
		if err != nil {
			yield(Insight{}, err)
			return
		}
		for !w.done {
			_, fresh, err := w.next(ctx)
			for _, insight := range fresh {
				if !yield(insight, nil) {
					return
				}
			}
			if err != nil {
				yield(Insight{}, err)
				return
			}
		}
	}
}

// A walk is the state of one walk over pages.
type walk struct {
	client     *Client
	query      Query          // as asked for, with the defaults of a walk
	parameters map[string]any // of the page to come
	total      int            // how many insights are wanted; 0 means all

	cursors seen // every cursor that was sent
	ids     seen // every id that was counted

	pages int // valid pages so far
	count int // insights counted so far
	idle  int // pages in a row without a new insight

	after   string // the last good cursor: going on from here loses nothing
	hasMore bool   // more insights are known to match
	done    bool   // the end or the total is reached
	failure error  // what keeps the next page from being read
}

func (c *Client) newWalk(query Query, total *int) (*walk, error) {
	w := &walk{client: c, query: query.forWalk(), cursors: seen{}, ids: seen{}}
	if total != nil {
		w.total = *total
	}
	parameters, err := w.query.parameters()
	if err != nil {
		return nil, err
	}
	w.parameters = parameters
	w.after = query.After
	if query.After != "" {
		w.cursors.add(query.After)
	}
	return w, nil
}

// next reads a page and returns it with those of its insights that count. Its
// error is an [*Incomplete] that ends the walk.
func (w *walk) next(ctx context.Context) (Page, []Insight, error) {
	if w.failure != nil {
		return Page{}, nil, w.incomplete(w.failure)
	}
	page, err := w.client.page(ctx, w.request())
	if err != nil {
		return Page{}, nil, w.incomplete(err)
	}
	fresh, cut := w.take(page.Insights)
	w.pages++
	w.hasMore = page.HasMore || cut
	w.advance(page, cut)
	return page, fresh, nil
}

// request returns the parameters of the page to come, in a map of its own: what
// a Caller does with an earlier one must not reach this page.
func (w *walk) request() map[string]any {
	request := make(map[string]any, len(w.parameters)+1)
	for name, value := range w.parameters {
		request[name] = value
	}
	if w.after != "" {
		request["after"] = w.after
	}
	if w.total > 0 {
		request["limit"] = int64(min(w.query.Limit, w.total-w.count))
	}
	return request
}

// take counts the insights of a page that are new. cut says that the total left
// some out.
func (w *walk) take(insights []Insight) (fresh []Insight, cut bool) {
	track := !w.client.options.AllowDuplicates
	for _, insight := range insights {
		id := identity(insight)
		if track && w.ids.has(id) {
			continue
		}
		if w.total > 0 && w.count == w.total {
			cut = true
			break
		}
		if track {
			w.ids.add(id)
		}
		w.count++
		fresh = append(fresh, insight)
	}
	w.idle++
	if len(fresh) > 0 {
		w.idle = 0
	}
	return fresh, cut
}

// advance decides how the walk goes on after a page.
func (w *walk) advance(page Page, cut bool) {
	cursor, err := w.cursorAfter(page)
	reached := w.total > 0 && w.count >= w.total
	switch {
	case !page.HasMore && !cut:
		w.after, w.done = "", true
		return
	case err == nil && !cut:
		w.after = cursor
		w.cursors.add(cursor)
	}
	switch {
	case reached:
		w.done = true
	case err != nil:
		w.failure = err
	case w.idle >= w.client.options.MaxIdlePages:
		w.failure = &Error{Kind: NoProgress, Message: strconv.Itoa(w.idle) + " pages in a row"}
	case w.pages >= w.client.options.MaxPages:
		w.failure = &Error{Kind: PageLimit, Message: strconv.Itoa(w.pages) + " pages"}
	}
}

// cursorAfter returns the cursor behind a page. There is no other source for it
// than last_id: the id of the last insight may look like one, but need not be
// one.
func (w *walk) cursorAfter(page Page) (string, error) {
	switch {
	case isBlank(page.LastID):
		return "", &Error{Kind: MissingCursor, Message: "has_more is true, but last_id is no text, or blank"}
	case strings.ContainsRune(page.LastID, utf8.RuneError):
		return "", &Error{Kind: MissingCursor, Message: "last_id is not valid Unicode, so it cannot be sent back"}
	case w.cursors.has(page.LastID):
		return "", &Error{Kind: RepeatedCursor}
	}
	return page.LastID, nil
}

// identity returns what tells the insight from others. Ids that Go cannot hold
// as text, those with half a surrogate pair, are compared as they are written.
func identity(insight Insight) string {
	if !strings.ContainsRune(insight.ID, utf8.RuneError) {
		return insight.ID
	}
	id, _ := rawjson.Lookup(membersOf(insight.Raw), "id")
	return string(id)
}
