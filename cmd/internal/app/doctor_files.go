package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"sheaf/cmd/internal/store/backup"
	"sheaf/cmd/internal/store/sqlite"
	"sheaf/feeds"
)

// littleSpace is how few free bytes are worth a word, whatever the database needs.
const littleSpace = 256 << 20

// state judges the state directory: whether it can be written, and by nobody else read.
func (d *Doctor) state() []Symptom {
	dir := d.Config.State
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []Symptom{{AreaState, dir, LevelPoor, "there is none yet", "the first sweep makes it"}}
	}
	if err != nil {
		return []Symptom{{AreaState, dir, LevelBad, err.Error(), "see that this user may enter it"}}
	}
	found := []Symptom{writable(AreaState, dir)}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		found = append(found, Symptom{AreaState, dir, LevelPoor, fmt.Sprintf("others may look into it (mode %04o)", mode), "chmod 700 " + dir})
	}
	return append(found, d.space(dir))
}

// writable tries to make a file in a folder.
func writable(area, dir string) Symptom {
	file, err := os.CreateTemp(dir, ".sheaf-doctor-*.tmp")
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return Symptom{area, dir, LevelBad, "it cannot be written: " + err.Error(), "run this as the user that runs sheaf; if it is so for that user, make the folder theirs, or name another"}
	}
	return Symptom{area, dir, LevelGood, "it can be written", ""}
}

// space judges the room on a disk by what a backup takes.
func (d *Doctor) space(dir string) Symptom {
	free, err := freeSpace(dir)
	if err != nil {
		return Symptom{AreaState, dir, LevelPoor, "free space is not known: " + err.Error(), ""}
	}
	needed := uint64(littleSpace)
	if info, err := os.Stat(filepath.Join(dir, databaseName)); err == nil {
		needed += 2 * uint64(info.Size())
	}
	s := Symptom{AreaState, dir, LevelGood, fmt.Sprintf("%d MB free", free>>20), ""}
	if free < needed {
		s.Level, s.Advice = LevelPoor, fmt.Sprintf("free some: with less than %d MB no backup is made, and soon nothing is stored; lower retention or backups if the database is what fills it", needed>>20)
	}
	return s
}

// database looks for damage, backups, and what was set aside.
func (d *Doctor) database(ctx context.Context) []Symptom {
	path := filepath.Join(d.Config.State, databaseName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return []Symptom{{AreaDatabase, path, LevelPoor, "there is none yet", "the first sweep makes it"}}
	}
	found := []Symptom{d.soundness(ctx, path)}
	copies, err := backup.Folder{Path: filepath.Join(d.Config.State, backupFolder)}.List()
	switch {
	case err != nil:
		found = append(found, Symptom{AreaDatabase, backupFolder, LevelPoor, err.Error(), "see that this user may read it"})
	case d.Config.Backups == 0:
		found = append(found, Symptom{AreaDatabase, backupFolder, LevelPoor, "no backups are made", "set backups, or run sheaf backup by cron"})
	case len(copies) > 0:
		found = append(found, Symptom{AreaDatabase, copies[0].Path, LevelGood, fmt.Sprintf("%d backups, the newest of %s", len(copies), copies[0].Taken.Format("2006-01-02 15:04 UTC")), ""})
	}
	aside, err := filepath.Glob(path + ".*-*Z*")
	if err == nil && len(aside) > 0 {
		found = append(found, Symptom{AreaDatabase, d.Config.State, LevelPoor, fmt.Sprintf("%d files of databases that were set aside", len(aside)), "remove " + path + ".corrupt-* and .replaced-* once you do not need them"})
	}
	return found
}

// soundness reads the whole database beside whoever writes it.
func (d *Doctor) soundness(ctx context.Context, path string) Symptom {
	s := Symptom{Area: AreaDatabase, Subject: path, Level: LevelBad}
	db, err := sqlite.OpenReadOnly(ctx, path)
	if err == nil {
		err = errors.Join(db.Check(ctx), db.Close())
	}
	switch {
	case Damaged(err):
		s.Message, s.Advice = err.Error(), "restart sheaf: the newest good backup takes its place; or choose one yourself with sheaf restore"
	case errors.Is(err, sqlite.ErrOlder):
		s.Level, s.Message, s.Advice = LevelPoor, err.Error(), "the next sweep makes a copy and brings it up to date"
	case err != nil:
		s.Message, s.Advice = err.Error(), "see that this user may read and write it"
	default:
		s.Level, s.Message = LevelGood, "sound"
	}
	return s
}

// output judges the published documents as a subscriber gets them.
func (d *Doctor) output() []Symptom {
	dir := d.Config.Publish.Dir
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return []Symptom{{AreaOutput, dir, LevelPoor, "there is none yet", "the first sweep makes it"}}
	}
	found := []Symptom{writable(AreaOutput, dir)}
	for _, c := range d.Config.Output() {
		for _, suffix := range []string{".rss", ".atom", ".json"} {
			found = append(found, published(filepath.Join(dir, c.Name+suffix)))
		}
	}
	return found
}

// published reads one document back. Our own documents need no mending.
func published(path string) Symptom {
	s := Symptom{Area: AreaOutput, Subject: path, Level: LevelBad, Advice: "remove it: the next sweep writes it anew"}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		s.Level, s.Message, s.Advice = LevelPoor, "not published yet", "the next sweep writes it"
		return s
	}
	if err != nil {
		s.Message, s.Advice = err.Error(), "see that this user may read it"
		return s
	}
	doc, err := feeds.Parse(feeds.Input{Body: data, URL: "file:" + path})
	switch {
	case err != nil:
		s.Message = err.Error()
	case len(doc.Notes) > 0 || doc.Truncated:
		s.Message = "readers have to mend it"
	case !sameTwin(path, data):
		s.Message, s.Advice = "its compressed twin is not the same document", "remove "+path+".gz: the next sweep writes it anew"
	default:
		s.Level, s.Message, s.Advice = LevelGood, fmt.Sprintf("valid, %d items", len(doc.Items)), ""
	}
	return s
}

// sameTwin compares a document with its compressed twin, if there is one.
func sameTwin(path string, data []byte) bool {
	file, err := os.Open(path + ".gz")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return false
	}
	twin, err := io.ReadAll(io.LimitReader(z, int64(len(data))+1))
	return err == nil && bytes.Equal(twin, data)
}
