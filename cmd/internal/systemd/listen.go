package systemd

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

const (
	firstDescriptor = 3  // SD_LISTEN_FDS_START
	mostDescriptors = 64 // more than any unit of ours has
)

// Socket is a listening socket that the service manager has opened.
type Socket struct {
	Name string // FileDescriptorName= of the socket unit; by default that unit's own name
	net.Listener
}

// Sockets takes over the sockets that env (as os.Getenv) says were given to this process, in their order; nil without any. Call it once:
// the descriptors are consumed.
func Sockets(env func(string) string) ([]Socket, error) {
	if env("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, nil
	}
	n, err := strconv.Atoi(env("LISTEN_FDS"))
	if err != nil || n < 0 || n > mostDescriptors {
		return nil, fmt.Errorf("take over sockets: LISTEN_FDS is %q, not a number up to %d", env("LISTEN_FDS"), mostDescriptors)
	}
	files := make([]*os.File, n)
	for i := range files {
		files[i] = os.NewFile(uintptr(firstDescriptor+i), "socket")
	}
	return adopt(files, strings.Split(env("LISTEN_FDNAMES"), ":"))
}

// adopt makes listeners of files, and closes the files. After an error nothing is left open.
func adopt(files []*os.File, names []string) (sockets []Socket, err error) {
	defer func() {
		if err != nil {
			for _, s := range sockets {
				err = errors.Join(err, s.Close())
			}
			sockets = nil
		}
	}()
	for i, f := range files {
		l, failed := net.FileListener(f) // a duplicate, closed on exec
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("take over socket %d: %w", i, failed), f.Close())
			continue
		}
		s := Socket{Listener: l}
		if i < len(names) {
			s.Name = names[i]
		}
		sockets = append(sockets, s)
		err = errors.Join(err, f.Close())
	}
	return sockets, err
}
