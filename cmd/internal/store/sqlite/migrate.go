package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"sheaf/cmd/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNewer means the database was written by a newer version of sheaf.
var ErrNewer = errors.New("the database was written by a newer version of sheaf; install that version, or name another state directory")

// migration is one step of the schema, named NNNN_what.sql. A step that has been released is never edited: its checksum is stored.
type migration struct {
	version  int
	text     string
	checksum string
}

func readMigrations(dir fs.FS) ([]migration, error) {
	names, err := fs.Glob(dir, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var steps []migration
	for i, name := range names { // Glob sorts
		digits, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		version, err := strconv.Atoi(digits)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		steps = append(steps, migration{version, string(data), hex.EncodeToString(sum[:])})
	}
	return steps, nil
}

// migrationTable is where a database keeps which steps it has.
const migrationTable = `CREATE TABLE IF NOT EXISTS schema_migration (version BIGINT PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`

// migrate runs the steps of dir that the database does not have yet, in one transaction.
func (db *DB) migrate(ctx context.Context, dir fs.FS) error {
	steps, err := readMigrations(dir)
	if err != nil {
		return err
	}
	return db.inTx(ctx, "migrate", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, migrationTable); err != nil {
			return err
		}
		applied, err := appliedMigrations(ctx, tx)
		if err != nil {
			return err
		}
		if len(applied) > len(steps) {
			return fmt.Errorf("schema %d, this version knows %d: %w", len(applied), len(steps), ErrNewer)
		}
		if err := compareApplied(applied, steps[:len(applied)]); err != nil {
			return err
		}
		for _, step := range steps[len(applied):] {
			if _, err := tx.ExecContext(ctx, step.text); err != nil {
				return fmt.Errorf("migration %d: %w", step.version, err)
			}
			const record = `INSERT INTO schema_migration (version, checksum, applied_at) VALUES ($1, $2, $3)`
			if _, err := tx.ExecContext(ctx, record, step.version, step.checksum, time.Now().UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// compareApplied refuses a database whose steps are not ours. Released steps are never edited, so that is damage.
func compareApplied(applied []string, steps []migration) error {
	for i, step := range steps {
		if applied[i] != step.checksum {
			return fmt.Errorf("%w: migration %d is not the one that was applied", store.ErrDamaged, step.version)
		}
	}
	return nil
}

// ErrOlder means a database must be migrated before it can be read.
var ErrOlder = errors.New("the database was written by an older version of sheaf; run a sweep with this version first")

// checkSchema refuses a database of another version, without changing it.
func (db *DB) checkSchema(ctx context.Context) error {
	steps, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	applied, err := appliedMigrations(ctx, db.read)
	switch {
	case err != nil:
		return err
	case len(applied) > len(steps):
		return ErrNewer
	case len(applied) < len(steps):
		return ErrOlder
	}
	return nil
}

// appliedMigrations lists the checksums of the steps a database has, by version.
func appliedMigrations(ctx context.Context, tx queryer) ([]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT checksum FROM schema_migration ORDER BY version`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var sums []string
	for rows.Next() {
		var sum string
		if err := rows.Scan(&sum); err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, rows.Err()
}
