package front

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rememberedClients bounds the table of a Rates, twice: the clients asking now, and those before them.
const rememberedClients = 8192

// Rates says how often each client may ask. The table is bounded: of very many clients, those that have asked longest ago are forgotten.
type Rates struct {
	limit rate.Limit
	burst int

	mu         sync.Mutex // guards the fields below
	young, old map[netip.Addr]*rate.Limiter
}

// NewRates allows each client so many requests a second on average, and a burst of so many.
func NewRates(perSecond float64, burst int) *Rates {
	return &Rates{limit: rate.Limit(perSecond), burst: burst, young: map[netip.Addr]*rate.Limiter{}}
}

// Take counts a request and says how long the client should have waited; 0: it may be answered.
func (r *Rates) Take(client netip.Addr, now time.Time) (wait time.Duration) {
	limiter := r.limiter(network(client))
	reservation := limiter.ReserveN(now, 1)
	wait = reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

func (r *Rates) limiter(client netip.Addr) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.young[client]
	if l != nil {
		return l
	}
	if l = r.old[client]; l == nil {
		l = rate.NewLimiter(r.limit, r.burst)
	}
	if len(r.young) >= rememberedClients {
		r.old, r.young = r.young, map[netip.Addr]*rate.Limiter{}
	}
	r.young[client] = l
	return l
}

// Limit answers 429 to clients that ask too often (RFC 6585, section 4), and hands all else on. refused is called for each; nil: nobody is
// told.
func Limit(next http.Handler, rates *Rates, proxies Proxies, refused func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := rates.Take(proxies.Client(r), time.Now())
		if wait <= 0 {
			next.ServeHTTP(w, r)
			return
		}
		if refused != nil {
			refused()
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		Refuse(w, http.StatusTooManyRequests)
	})
}

// Refuse answers with a status and not a word of what was asked.
func Refuse(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, http.StatusText(status))
}
