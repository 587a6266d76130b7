//go:build !linux

package systemd

import "time"

// monotonic is never asked for: only Linux has this service manager.
func monotonic() time.Duration { return 0 }
