//go:build unix

package sqlite

import (
	"errors"
	"os"
)

// syncFolder makes a rename in the folder last through a power cut.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
