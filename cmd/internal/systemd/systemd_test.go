package systemd

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// environment is an os.Getenv over a map.
func environment(m map[string]string) func(string) string {
	return func(name string) string { return m[name] }
}

// manager is a service manager's end of a notify socket.
func manager(t *testing.T) (path string, next func() string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return path, func() string {
		t.Helper()
		if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4096)
		n, err := conn.Read(b)
		if err != nil {
			t.Fatalf("no message: %v", err)
		}
		return string(b[:n])
	}
}

func TestNotifier(t *testing.T) {
	path, next := manager(t)
	n, err := NewNotifier(environment(map[string]string{"NOTIFY_SOCKET": path}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		tell func()
		want string
	}{
		{"ready", n.Ready, "READY=1"},
		{"status", func() { n.Status("two\nlines") }, "STATUS=two lines"},
		{"stopping", n.Stopping, "STOPPING=1"},
		{"alive", n.Alive, "WATCHDOG=1"},
		{"more time", func() { n.Extend(90 * time.Second) }, "EXTEND_TIMEOUT_USEC=90000000"},
	} {
		tt.tell()
		if got := next(); got != tt.want {
			t.Errorf("%s: sent %q, want %q", tt.name, got, tt.want)
		}
	}
	n.Reloading()
	first, stamp, ok := strings.Cut(next(), "\nMONOTONIC_USEC=")
	if _, err := strconv.ParseInt(stamp, 10, 64); first != "RELOADING=1" || !ok || err != nil {
		t.Errorf("reloading: sent %q and %q, want RELOADING=1 with a stamp", first, stamp)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	n.Ready() // lost, not a panic
	if err := n.Close(); err != nil {
		t.Errorf("second Close = %v", err)
	}
}

func TestNobody(t *testing.T) {
	n, err := NewNotifier(environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	n.Ready()
	if err := n.Close(); err != nil {
		t.Error(err)
	}
	var none *Notifier
	none.Ready()
	if err := none.Close(); err != nil {
		t.Error(err)
	}
	if _, err := NewNotifier(environment(map[string]string{"NOTIFY_SOCKET": filepath.Join(t.TempDir(), "none")})); err == nil {
		t.Error("a socket that is not there gave no error")
	}
}

func TestWatchdog(t *testing.T) {
	me := strconv.Itoa(os.Getpid())
	for _, tt := range []struct {
		name, usec, pid string
		want            time.Duration
	}{
		{"none", "", "", 0},
		{"ours", "60000000", me, time.Minute},
		{"whoever's", "60000000", "", time.Minute},
		{"another's", "60000000", "1", 0},
		{"not a number", "soon", me, 0},
		{"negative", "-5", me, 0},
		{"beyond all measure", "9223372036854775807", me, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Watchdog(environment(map[string]string{"WATCHDOG_USEC": tt.usec, "WATCHDOG_PID": tt.pid})); got != tt.want {
				t.Errorf("Watchdog = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSockets(t *testing.T) {
	me := strconv.Itoa(os.Getpid())
	for _, tt := range []struct {
		name string
		env  map[string]string
		bad  bool
	}{
		{"none", nil, false},
		{"for another process", map[string]string{"LISTEN_PID": "1", "LISTEN_FDS": "1"}, false},
		{"no number", map[string]string{"LISTEN_PID": me, "LISTEN_FDS": "many"}, true},
		{"too many", map[string]string{"LISTEN_PID": me, "LISTEN_FDS": "100000"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Sockets(environment(tt.env))
			if len(got) != 0 || (err != nil) != tt.bad {
				t.Errorf("Sockets = %v, %v; want none, error %v", got, err, tt.bad)
			}
		})
	}
}

// fileOf is a duplicate of a listener's descriptor, as the service manager would pass it.
func fileOf(t *testing.T) (f *os.File, address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	f, err = l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	return f, l.Addr().String()
}

func TestAdopt(t *testing.T) {
	a, addressA := fileOf(t)
	b, addressB := fileOf(t)
	sockets, err := adopt([]*os.File{a, b}, []string{"sheaf.socket"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sockets {
		got = append(got, s.Name, s.Addr().String())
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"sheaf.socket", addressA, "", addressB}, got); diff != "" {
		t.Errorf("sockets (-want +got):\n%s", diff)
	}
}

// What is no socket is refused, and nothing stays open.
func TestAdoptRefuses(t *testing.T) {
	good, _ := fileOf(t)
	plain, err := os.CreateTemp(t.TempDir(), "plain")
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := adopt([]*os.File{good, plain}, nil)
	if err == nil || sockets != nil {
		t.Errorf("adopt = %v, %v; want an error and nothing", sockets, err)
	}
	if err := plain.Close(); err == nil {
		t.Error("the file was left open")
	}
}
