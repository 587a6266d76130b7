// Package systemd tells a service manager how this process does, and takes over the sockets it was given: the protocols of sd_notify(3)
// and sd_listen_fds(3). Without a service manager nothing is told and nothing taken over.
package systemd

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Notifier sends messages to the service manager. Its methods may be called from any goroutine. A message that cannot be sent is lost:
// no error of telling is worth stopping for. The nil Notifier and the zero one tell nobody.
type Notifier struct {
	mu   sync.Mutex
	conn net.Conn
}

// NewNotifier connects to the service manager that env (as os.Getenv) names in NOTIFY_SOCKET. Without one it returns a Notifier that
// tells nobody, and no error.
func NewNotifier(env func(string) string) (*Notifier, error) {
	path := env("NOTIFY_SOCKET")
	if path == "" {
		return &Notifier{}, nil
	}
	conn, err := net.Dial("unixgram", path) // a leading @ means the abstract name space, to both
	if err != nil {
		return nil, fmt.Errorf("connect to the service manager at NOTIFY_SOCKET: %w", err)
	}
	return &Notifier{conn: conn}, nil
}

// Ready says that the service is up, or has taken over a new configuration.
func (n *Notifier) Ready() { n.send("READY=1") }

// Status says in a line for people what the service does.
func (n *Notifier) Status(text string) { n.send("STATUS=" + strings.ReplaceAll(text, "\n", " ")) }

// Reloading says that a configuration is being read; Ready ends that.
func (n *Notifier) Reloading() {
	n.send("RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(monotonic().Microseconds(), 10))
}

// Stopping says that the service is about to end.
func (n *Notifier) Stopping() { n.send("STOPPING=1") }

// Alive keeps the watchdog from biting.
func (n *Notifier) Alive() { n.send("WATCHDOG=1") }

// Extend asks for so much more time, from now, to start, to reload or to stop.
func (n *Notifier) Extend(by time.Duration) {
	n.send("EXTEND_TIMEOUT_USEC=" + strconv.FormatInt(by.Microseconds(), 10))
}

func (n *Notifier) send(message string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn == nil {
		return
	}
	_, _ = n.conn.Write([]byte(message))
}

// Close lets the connection go.
func (n *Notifier) Close() error {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn == nil {
		return nil
	}
	err := n.conn.Close()
	n.conn = nil
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close connection to the service manager: %w", err)
	}
	return nil
}

// Watchdog is how often the service manager wants to hear that this process is alive, from env (as os.Getenv); zero if not at all. Half of
// it is a good interval to tell.
func Watchdog(env func(string) string) time.Duration {
	usec, err := strconv.ParseInt(env("WATCHDOG_USEC"), 10, 64)
	if err != nil || usec <= 0 || usec > int64(24*time.Hour/time.Microsecond) {
		return 0
	}
	if pid := env("WATCHDOG_PID"); pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return time.Duration(usec) * time.Microsecond
}
