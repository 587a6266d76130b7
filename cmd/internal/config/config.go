// Package config reads config.yaml strictly and turns it into the options of each room. Nothing else in the program sees YAML.
//
// An unknown key, a wrong type or an impossible value is a fault with file, line, column and what to do; all faults of a file are
// reported together. Relative paths are resolved against the folder of the file.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Config is the content of a configuration file, defaults filled in and paths absolute. The file config.yaml at the top of the
// repository explains every key and is tested to name them all.
type Config struct {
	State    string    `yaml:"state"`
	Publish  Publish   `yaml:"publish"`
	Listen   string    `yaml:"listen"`
	Admin    Admin     `yaml:"admin"`
	Proxies  []string  `yaml:"trusted_proxies"`
	Log      string    `yaml:"log"`
	Schedule string    `yaml:"schedule"`
	Zone     string    `yaml:"zone"`
	Fetch    Fetch     `yaml:"fetch"`
	WebSub   WebSub    `yaml:"websub"`
	Groups   []Group   `yaml:"groups"`
	Grouping Grouping  `yaml:"grouping"`
	Keep     Duration  `yaml:"retention"`
	Backups  Duration  `yaml:"backups"`
	Mail     Mail      `yaml:"mail"`
	Editors  Editors   `yaml:"editors"`
	Feeds    []Feed    `yaml:"feeds"`
	Channels []Channel `yaml:"channels"`

	path string
}

// Publish says where the channels go.
type Publish struct {
	Dir     string `yaml:"dir"`
	BaseURL string `yaml:"base_url"`
	Title   string `yaml:"title"`
	Hub     string `yaml:"hub"`
}

// Admin is the listener for those who watch the daemon.
type Admin struct {
	Listen string `yaml:"listen"`
	Token  Secret `yaml:"token"`
}

// Fetch holds the manners of polling.
type Fetch struct {
	Contact     string   `yaml:"contact"`
	Parallel    int      `yaml:"parallel"`
	Timeout     Duration `yaml:"timeout"`
	Interval    Duration `yaml:"interval"`
	MinInterval Duration `yaml:"min_interval"`
	HostGap     Duration `yaml:"host_gap"`
	Allow       []string `yaml:"allow"`
	Proxy       Secret   `yaml:"proxy"`
}

// WebSub says where hubs can reach the HTTP server.
type WebSub struct {
	Callback string `yaml:"callback"`
}

// Group is a name for several feeds, and the hours in which they are polled.
type Group struct {
	Name  string `yaml:"name"`
	Hours string `yaml:"hours"`
}

// Grouping chooses how sure sheaf must be to put two articles together.
type Grouping struct {
	Profile string `yaml:"profile"`
	Model   string `yaml:"model"`
}

// Feed is one address to poll.
type Feed struct {
	URL           string   `yaml:"url"`
	Outlet        string   `yaml:"outlet"`
	Owner         string   `yaml:"owner"`
	Language      string   `yaml:"language"`
	Authorization Secret   `yaml:"authorization"`
	Snippet       *int     `yaml:"snippet"`
	Extract       bool     `yaml:"extract"`
	Zone          string   `yaml:"zone"`
	KeepParams    []string `yaml:"keep_params"`
	Group         string   `yaml:"group"`
	Delta         bool     `yaml:"delta"`
	InsecureTLS   bool     `yaml:"insecure_tls"`

	InsecureRedirect bool `yaml:"insecure_redirect"`
}

// defaults is the configuration that an empty file means.
func defaults() Config {
	return Config{
		State:    "./var",
		Publish:  Publish{Dir: "./public", BaseURL: "http://127.0.0.1:8080", Title: "sheaf"},
		Listen:   "127.0.0.1:8080",
		Proxies:  []string{"127.0.0.0/8", "::1/128"},
		Log:      LogText,
		Schedule: "*/15 * * * *",
		Grouping: Grouping{Profile: "balanced"},
		Keep:     Duration(60 * 24 * time.Hour),
		Backups:  Duration(3 * 24 * time.Hour),
	}
}

// Overrides are the paths that the command line may put in the place of the file's.
type Overrides struct {
	State, Publish string
}

// Load reads and checks the file at path. The error is an *Error with every fault, also when the file cannot be read.
func Load(path string, o Overrides) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		hint := "name another with --config"
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("no such file")
		}
		return nil, &Error{Faults: []Fault{{File: path, Message: fmt.Sprintf("%v; %s", err, hint)}}}
	}
	return Parse(path, data, o)
}

// Parse checks data as the content of the file at path, which it resolves paths against but does not read.
func Parse(path string, data []byte, o Overrides) (*Config, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", path, err)
	}
	c := defaults()
	c.path = path
	d := &decoder{faults: faults{file: path}, dir: filepath.Dir(absolute), env: os.LookupEnv, at: map[string]position{}}
	d.decode(data, &c)
	if o.State != "" {
		c.State = o.State
	}
	if o.Publish != "" {
		c.Publish.Dir = o.Publish
	}
	c.check(d, o)
	if err := d.err(); err != nil {
		return nil, err
	}
	return &c, nil
}
