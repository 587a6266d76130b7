package dedupe

// filter is a small set of numbers that may hold a few more than were added. It answers most questions from the fastest memory there is.
type filter [1024]uint64

func (f *filter) add(n uint32)      { f[n>>6%1024] |= 1 << (n % 64) }
func (f *filter) may(n uint32) bool { return f[n>>6%1024]&(1<<(n%64)) != 0 }

// forget takes out what was added, and perhaps other numbers too: it is for emptying the whole set.
func (f *filter) forget(n uint32) { f[n>>6%1024] = 0 }
