package config

import (
	"testing"

	"sheaf"
)

func TestQuirks(t *testing.T) {
	text := "feeds:\n- {url: 'https://a.example/', zone: Asia/Shanghai, keep_params: [partner, id]}\n- {url: 'https://b.example/', keep_params: [p]}\n- {url: 'https://c.example/'}\n"
	c, err := Parse("c.yaml", []byte(text), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	quirks := c.Polling("test").Quirks
	a, b := quirks[sheaf.NewFeedID("https://a.example/")], quirks[sheaf.NewFeedID("https://b.example/")]
	if a.Zone == nil || a.Zone.String() != "Asia/Shanghai" || len(a.Keep) != 2 {
		t.Errorf("quirks of the first feed = %+v", a)
	}
	if b.Zone != nil || len(b.Keep) != 1 || len(quirks) != 2 {
		t.Errorf("quirks = %+v, want no zone for the second feed and nothing for the third", quirks)
	}
}
