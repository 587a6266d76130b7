package dedupe

import "sheaf"

// Reason says why an article is where it is.
type Reason string

// The reasons of a Decision.
const (
	ReasonSameItem   Reason = "same_item"   // an article that is known already
	ReasonNew        Reason = "new"         // nothing close enough: starts a story
	ReasonCopy       Reason = "copy"        // text of a member
	ReasonWire       Reason = "wire"        // text of a member, credited to an agency
	ReasonSameEvent  Reason = "same_event"  // own words on the same event
	ReasonRelated    Reason = "related"     // starts a story; another was close and is linked
	ReasonRole       Reason = "role"        // starts its own entry because of what it is: a roundup, a recurring template
	ReasonGuard      Reason = "guard"       // starts a story because a guard objected to the best one
	ReasonMoved      Reason = "moved"       // polish found a better story
	ReasonEvicted    Reason = "evicted"     // polish found it does not belong where it was
	ReasonMerged     Reason = "merged"      // its story was merged into another
	ReasonSplit      Reason = "split"       // its story was split
	ReasonPinned     Reason = "pinned"      // an editor's word
	ReasonLateFollow Reason = "late_follow" // starts a story that continues a closed one
)

// Sentence says in words what the reason means, for people, without a full stop.
func (r Reason) Sentence() string {
	switch r {
	case ReasonSameItem:
		return "it is the same item again"
	case ReasonNew:
		return "nothing known was close enough, so it starts a story"
	case ReasonCopy:
		return "its text is that of another article"
	case ReasonWire:
		return "its text is an agency's, run by others too"
	case ReasonSameEvent:
		return "it reports the same event in its own words"
	case ReasonRelated:
		return "another story was close, but not close enough: it starts its own, and the two are linked"
	case ReasonRole:
		return "what it is keeps it apart: a roundup or a recurring text joins no story"
	case ReasonGuard:
		return "a rule objected to the closest story, so it starts its own"
	case ReasonMoved:
		return "a second look found it a better story"
	case ReasonEvicted:
		return "a second look found that it did not belong where it was"
	case ReasonMerged:
		return "its story was merged into another"
	case ReasonSplit:
		return "its story was split"
	case ReasonPinned:
		return "an editor said so"
	case ReasonLateFollow:
		return "it continues a story that is closed"
	}
	return string(r)
}

// Decision is the outcome for one article with the evidence for it. It is stored as JSON and can be reproduced from the stored articles.
type Decision struct {
	Article sheaf.ArticleID `json:"article"`
	Story   sheaf.StoryID   `json:"story"`
	Founder sheaf.ArticleID `json:"founder"`           // article that started Story
	From    sheaf.StoryID   `json:"from,omitempty"`    // story it was in before; empty on arrival
	Reason  Reason          `json:"reason"`            //
	Role    sheaf.Role      `json:"role"`              // its part in the story
	CopyOf  sheaf.ArticleID `json:"copy_of,omitempty"` // with RoleCopy
	Kind    string          `json:"kind,omitempty"`    // what the article is, if not a report: roundup, live, opinion, history, release
	Score   float64         `json:"score"`             // probability in 0–1 of the best story, joined or not; 1 for copies

	Threshold     float64         `json:"threshold,omitempty"`     // probability, or containment of a copy, from which it joins
	Guard         string          `json:"guard,omitempty"`         // the guard that objected
	Best          sheaf.ArticleID `json:"best,omitempty"`          // the most similar member of the story that the decision turned on
	RunnerUp      *Match          `json:"runner_up,omitempty"`     // the most probable other story
	Contributions []Contribution  `json:"contributions,omitempty"` // what each term added to the log odds, largest first
	Profile       Profile         `json:"profile,omitempty"`       //
	Model         string          `json:"model,omitempty"`         // version of the weights
}

// Compared is the article that the decision turned on: the original of a copy, else the most similar member; empty if there was none.
func (d *Decision) Compared() sheaf.ArticleID {
	if d.CopyOf != "" {
		return d.CopyOf
	}
	return d.Best
}

// Match is a story that an article was scored against.
type Match struct {
	Story sheaf.StoryID `json:"story"`
	Score float64       `json:"score"` // probability in 0–1
}

// Contribution is what one term of the model added to the log odds of a match.
type Contribution struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Record is what the Grouper must remember of one article to go on after a restart as if it had never stopped.
type Record struct {
	Article sheaf.ArticleID
	Story   sheaf.StoryID
	Data    []byte // opaque; written by this package, versioned
}
