package repair

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object of unknown shape.
type object = map[string]any

// Reshape puts odd types of a JSON Feed right: a single value where a list belongs, a string where a person belongs, numbers where
// strings belong. Items that are no objects are dropped; numbers keep their digits. It reports false for text that is no JSON object.
func Reshape(text []byte) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var feed object
	if d.Decode(&feed) != nil || feed == nil {
		return nil, false
	}
	reshapeStrings(feed, "version", "title", "home_page_url", "feed_url", "description", "user_comment", "next_url", "icon", "favicon", "language")
	reshapePeople(feed)
	items := make([]any, 0)
	for _, v := range asList(feed["items"]) {
		item, ok := v.(object)
		if !ok {
			continue
		}
		reshapeStrings(item, "id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image",
			"date_published", "date_modified", "language")
		reshapePeople(item)
		item["tags"] = namesIn(asList(item["tags"]))
		item["attachments"] = attachments(asList(item["attachments"]))
		items = append(items, item)
	}
	feed["items"] = items
	out, err := json.Marshal(feed)
	return out, err == nil
}

// asList wraps a single value; nothing is an empty list.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// asString is a scalar as text; false for anything else.
func asString(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		if v {
			return "true", true
		}
		return "false", true
	}
	return "", false
}

func reshapeStrings(o object, keys ...string) {
	for _, k := range keys {
		if s, ok := asString(o[k]); ok {
			o[k] = s
		} else {
			delete(o, k)
		}
	}
}

// reshapePeople puts the author and the authors of an object right.
func reshapePeople(o object) {
	delete(o, "expired")
	var people []any
	for _, v := range asList(o["authors"]) {
		if p, ok := asPerson(v); ok {
			people = append(people, p)
		}
	}
	o["authors"] = people
	single := asList(o["author"])
	delete(o, "author")
	for _, v := range single {
		if p, ok := asPerson(v); ok {
			o["author"] = p
			return
		}
	}
}

func asPerson(v any) (object, bool) {
	if s, ok := asString(v); ok {
		return object{"name": s}, true
	}
	p, ok := v.(object)
	if ok {
		reshapeStrings(p, "name", "url", "avatar")
	}
	return p, ok
}

// namesIn are the texts in a list, and the names of the objects in it.
func namesIn(list []any) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if o, ok := v.(object); ok {
			v = o["name"]
		}
		if s, ok := asString(v); ok {
			out = append(out, s)
		}
	}
	return out
}

func attachments(list []any) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		if o, ok := v.(object); ok {
			reshapeStrings(o, "url", "mime_type", "title")
			out = append(out, o)
		}
	}
	return out
}
