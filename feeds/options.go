package feeds

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"sheaf"
)

// Options configure a Poller. The zero value of each field means its default.
type Options struct {
	Now         func() time.Time // wall clock, for any goroutine; time.Now
	Version     string           // for the User-Agent; "dev"
	Contact     string           // address of a page or mailbox for the User-Agent; none
	Subscribers int              // readers of what we publish, for the User-Agent; not said
	Parallel    int              // polls at once; 16
	Timeout     time.Duration    // for one fetch in all; 30 s
	Interval    time.Duration    // mean time between polls of a feed, shared out by how much each publishes; 1 h
	MinInterval time.Duration    // least time between polls of a feed; 5 min where the server answers 304, else 30 min; never below 1 min
	HostGap     time.Duration    // least time between starts at one host, lengthened by up to as much again; 1 s
	MaxBody     int64            // unpacked bytes of a document, twice that of a packed one; 8 MiB
	Round       time.Duration    // of one Poll, after which none is started: the rest stays due; 0: until all are done
	Spread      time.Duration    // time over which feeds long overdue are spread after a start or a sleep; 0: all at once, as a one-shot wants
	Drain       <-chan struct{}  // closed: no more polls are started, those under way get Grace, and Poll returns without an error; nil: never
	Grace       time.Duration    // 10 s
	Allow       []string         // networks (CIDR), addresses or host names that may be private
	Force       bool             // poll feeds that are not due, except within 5 minutes of their last poll
	Progress    func(Progress)   // called after each feed, from one goroutine; none

	// Authorization is the value of that header for feeds that need a log-in. It is sent to the origin of the feed's configured address
	// and to no other.
	Authorization map[sheaf.FeedID]string

	// Extract names feeds whose new articles are completed from their web pages, if the store is a Recaller.
	Extract map[sheaf.FeedID]bool

	// Quirks of single feeds.
	Quirks map[sheaf.FeedID]Quirks

	// Delta names feeds whose server may send just the items that are new (RFC 3229 with the instance manipulation "feed").
	Delta map[sheaf.FeedID]bool

	// Waivers are the protections that single feeds do without.
	Waivers map[sheaf.FeedID]Waiver

	// Hours gives, for feeds that may be polled at certain hours only, the first instant from a given one on that lies in them.
	Hours map[sheaf.FeedID]func(time.Time) time.Time

	// Proxy is used for what goes to public addresses; nil: the environment's. What a feed says cannot lead to its private addresses.
	Proxy *url.URL

	resolver *net.Resolver
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	roots    *x509.CertPool
}

// Waiver is a protection that the operator gives up for one feed. The zero value gives up none.
type Waiver struct {
	Certificate bool // whoever answers for the host and port of its configured address is believed (B37)
	Downgrade   bool // redirects from https to http are followed, and never stored (B6)
}

// Progress is how far a call of Poll has come.
type Progress struct {
	Done, Failed, Total int // feeds
	Feed                sheaf.Feed
	New                 int  // articles not in the feed's document before
	Unchanged           bool // the document is the same as before
	Err                 error
}

func (o Options) check() error {
	var faults []error
	for name, d := range map[string]time.Duration{"timeout": o.Timeout, "interval": o.Interval, "min interval": o.MinInterval, "host gap": o.HostGap, "spread": o.Spread, "round": o.Round, "grace": o.Grace} {
		if d < 0 {
			faults = append(faults, fmt.Errorf("%s %v is negative", name, d))
		}
	}
	if o.Parallel < 0 || o.Subscribers < 0 || o.MaxBody < 0 {
		faults = append(faults, errors.New("parallel, subscribers and max body must not be negative"))
	}
	if o.MaxBody > parseMemory {
		faults = append(faults, fmt.Errorf("max body %d is over %d", o.MaxBody, parseMemory))
	}
	for _, value := range o.Authorization {
		if strings.ContainsAny(value, "\r\n\x00") {
			faults = append(faults, errors.New("an authorization must not hold line breaks"))
		}
	}
	if strings.ContainsAny(o.Version+o.Contact, "\r\n()") {
		faults = append(faults, errors.New("version and contact must not hold line breaks or parentheses"))
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Parallel == 0 {
		o.Parallel = 16
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Interval == 0 {
		o.Interval = time.Hour
	}
	if o.HostGap == 0 {
		o.HostGap = time.Second
	}
	if o.Grace == 0 {
		o.Grace = 10 * time.Second
	}
	if o.MaxBody == 0 {
		o.MaxBody = 8 << 20
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// UserAgent says who asks, honestly (B3).
func UserAgent(o Options) string {
	o = o.withDefaults()
	var about []string
	if o.Contact != "" {
		about = append(about, "+"+o.Contact)
	}
	if o.Subscribers > 0 {
		about = append(about, fmt.Sprintf("%d subscribers", o.Subscribers))
	}
	about = append(about, "+feed-monitor")
	return "sheaf/" + o.Version + " (" + strings.Join(about, "; ") + ")"
}
