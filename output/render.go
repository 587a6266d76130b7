package output

// File is one document to be published.
type File struct {
	Name string // such as "stories.atom"
	Type string // media type, without parameters
	Data []byte
}

// Cache keeps rendered items between calls of [Channel.Render], so that only items that changed are rendered again.
type Cache struct{}

// Render gives the documents of the channel, NAME.rss, NAME.atom and NAME.json, from its memory.
func (c Channel) Render(site Site, memory []Emission, cache *Cache) ([]File, error) {
	return nil, nil
}
