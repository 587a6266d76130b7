package web

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	glance      = time.Second      // between two looks at whether what is stored has changed
	renderLimit = 10 * time.Second // for one page
	cacheBytes  = 32 << 20         // of pages kept, at most
)

// cache keeps pages until what is stored changes. A page that many ask for at once is made once.
type cache struct {
	stories Stories // nil: nothing changes
	now     func() time.Time

	mu       sync.Mutex
	looked   time.Time // last look at the revision
	revision int64
	kept     map[string]*kept
	bytes    int
}

// kept is a page, made or in the making.
type kept struct {
	once   sync.Once
	answer *answer
	err    error
}

func newCache(o Options) *cache {
	return &cache{stories: o.Stories, now: o.Now, kept: make(map[string]*kept)}
}

// get gives the page with the key, made if it is not there. The making goes on though the one who asked first leaves: others wait for it.
func (c *cache) get(ctx context.Context, key string, make func(context.Context) (*answer, error)) (*answer, error) {
	k, err := c.find(ctx, key)
	if err != nil {
		return nil, err
	}
	k.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderLimit)
		defer cancel()
		k.answer, k.err = make(ctx)
		c.settle(key, k)
	})
	return k.answer, k.err
}

// find gives the place of a page, after a look at whether those kept are still good.
func (c *cache) find(ctx context.Context, key string) (*kept, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); c.stories != nil && (now.Sub(c.looked) >= glance || now.Before(c.looked)) {
		revision, err := c.stories.Revision(context.WithoutCancel(ctx))
		if err != nil {
			return nil, fmt.Errorf("look for changes: %w", err)
		}
		if revision != c.revision {
			clear(c.kept)
			c.bytes = 0
		}
		c.looked, c.revision = now, revision
	}
	k := c.kept[key]
	if k == nil {
		k = new(kept)
		c.kept[key] = k
	}
	return k, nil
}

// settle counts a page that was made, unless it was forgotten meanwhile; one that could not be made is tried again.
func (c *cache) settle(key string, k *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[key] != k {
		return
	}
	if k.err != nil || k.answer == nil || k.answer.body == nil {
		delete(c.kept, key)
		return
	}
	if c.bytes += len(k.answer.data); c.bytes > cacheBytes {
		clear(c.kept)
		c.bytes = 0
	}
}
