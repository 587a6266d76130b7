package output

import "bytes"

// URN is the id of the item as documents give it.
func (e Emission) URN() string { return urn(e.ID) }

// Link is where the item leads: the lead's own address, else our page.
func (e Emission) Link(site Site) string { return newView(site, &e).link }

// Byline names up to three outlets and counts the others.
func (e Emission) Byline() string { return byline(e.Item.credits(e.Item.lead())) }

// HTML is the item's body, the same in every format. It needs at least one report, as every published item has.
func (e Emission) HTML(site Site) string { return newView(site, &e).block }

// JSON is the item as it stands in JSON Feed, our extension included.
func (e Emission) JSON(site Site) ([]byte, error) {
	f, err := jsonFragment(newView(site, &e))
	return bytes.TrimSpace(f.data), err
}
