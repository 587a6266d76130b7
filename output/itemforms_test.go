package output

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestItemForms(t *testing.T) {
	steps := growth()
	memory := testChannel().Advance(nil, steps[2].stories, nil, steps[2].now)
	e := memory[0]
	files, err := testChannel().Render(testSite(), memory, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.JSON(testSite())
	if err != nil || !json.Valid(data) || !strings.Contains(string(files[2].Data), string(data)) {
		t.Errorf("JSON() = %v, %s, want what the document holds", err, data)
	}
	if html := e.HTML(testSite()); !strings.Contains(string(files[0].Data), html) {
		t.Errorf("HTML() = %s, want what the document holds", html)
	}
	if e.URN() != "urn:uuid:fea1b806-87fa-517b-ac11-cecf2b2b1357" || e.Link(testSite()) != "https://alpha.example/ferry-bridge" ||
		e.Byline() != "Alpha News, Beta & Sons, Gamma Wire +2" {
		t.Errorf("URN, Link, Byline = %s, %s, %s", e.URN(), e.Link(testSite()), e.Byline())
	}
}
