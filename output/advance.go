package output

import (
	"time"

	"sheaf"
)

// Advance makes the channel's new memory from its previous one and the stories of now.
func (c Channel) Advance(previous []Emission, stories []sheaf.Story, merges []Merge, now time.Time) []Emission {
	return previous
}
