package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sheaf/dedupe"
	"sheaf/dedupe/eval"
)

// trainFlags are the flags of train.
type trainFlags struct {
	out     string
	counted []string
	rounds  int
}

func trainCommand() *cobra.Command {
	var flags trainFlags
	c := &cobra.Command{
		Use:   "train FILE.jsonl[.gz]...",
		Short: "Fit the weights of the scorer to labelled articles",
		Long: `Train fits the scorer to files as eval reads them. A file of one stream teaches it crowded windows, a file of several streams (duels of two
events each) sparse ones. The scorer then groups the files by itself and is fitted again to the mistakes it meets. The same files give the
same model, byte for byte; the configuration can name it, and eval takes it with --model.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return train(c, args, flags) },
	}
	c.Flags().StringVarP(&flags.out, "out", "o", "", "`file` to write the model to (default: standard output)")
	c.Flags().StringArrayVar(&flags.counted, "counted", nil, "`file` whose labelled articles are counted in the embedded tables, to be taken out")
	c.Flags().IntVar(&flags.rounds, "rounds", 1, "how often the scorer is fitted to its own groupings")
	return c
}

func train(c *cobra.Command, paths []string, flags trainFlags) error {
	t := eval.Training{Rounds: flags.rounds}
	for _, path := range paths {
		streams, err := readStreams(c, path)
		if err != nil {
			return err
		}
		if len(streams) == 1 {
			t.Dense = append(t.Dense, streams...)
			continue
		}
		t.Duels = append(t.Duels, streams...)
	}
	tables, err := countedOut(c, flags.counted)
	if err != nil {
		return err
	}
	t.Tables = []*dedupe.Tables{tables}
	m, err := eval.Train(t)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	sum := sha256.Sum256(m.Encode())
	m.Version = hex.EncodeToString(sum[:4])
	if flags.out == "" {
		_, err = c.OutOrStdout().Write(m.Encode())
		return err
	}
	return replaceFile(flags.out, m.Encode())
}

// countedOut gives the embedded tables without the labelled articles of files.
func countedOut(c *cobra.Command, paths []string) (*dedupe.Tables, error) {
	tables, err := dedupe.EnglishTables()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		streams, err := readStreams(c, path)
		if err != nil {
			return nil, err
		}
		tables = tables.Without(eval.Labelled(streams))
	}
	return tables, nil
}

// replaceFile writes a file beside the old one and renames it, so that a reader never finds half a model. A file that holds the same bytes
// already is left alone.
func replaceFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".model-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
