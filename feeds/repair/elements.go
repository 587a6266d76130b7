package repair

import (
	"bytes"
	"strings"

	"sheaf/feeds/canonical"
)

// start handles a start tag, or what looks like one.
func (s *scanner) start(rest []byte) {
	t, ok := s.startTag(rest)
	if !ok {
		s.cut()
		return
	}
	if t.open {
		s.note("tag_open")
	}
	if len(s.stack) == 0 && !s.isRoot(&t) {
		s.pos += t.size
		return
	}
	s.pos += t.size
	if t.name.kind == item {
		s.closeOpenItem(t.name)
		if s.enough(&t) {
			return
		}
	}
	if s.reopenChannel(&t) {
		return
	}
	s.open(&t)
}

// cut says that the document ends inside a tag.
func (s *scanner) cut() {
	s.pos = len(s.in)
	if len(s.stack) > 0 {
		s.r.Partial = s.insideItem()
	}
}

func (s *scanner) insideItem() bool {
	for i := range s.stack {
		if s.stack[i].name.kind == item {
			return true
		}
	}
	return false
}

// isRoot decides about an element outside the root, and starts the root if it is one.
func (s *scanner) isRoot(t *tag) bool {
	if s.r.First == "" {
		s.r.First = t.name.text
	}
	if s.root != nil || t.name.kind != root {
		if s.root == nil {
			s.note("junk_before_root")
		}
		return false
	}
	s.root = t.name
	s.rootNamespaces(t)
	if t.name.local == "channel" {
		s.note("channel_wrapped")
		s.out = append(s.out, `<rss version="2.0">`...)
	}
	return true
}

// closeOpenItem ends an item whose end tag is missing when the next one starts. Only the plain case counts, in which nothing but a text
// construct is still open: an item may hold other items in the containers of extensions. A text of the feed itself ends there, too.
func (s *scanner) closeOpenItem(n *name) {
	if *n.fold == 0 {
		if k := len(s.stack) - 1; k > 0 && s.stack[k].construct && s.stack[k-1].name.kind == root {
			s.note("end_added")
			s.closeTo(k)
		}
		return
	}
	for k := len(s.stack) - 1; k >= 0 && k >= len(s.stack)-2; k-- {
		if !strings.EqualFold(s.stack[k].name.text, n.text) {
			continue
		}
		if k == len(s.stack)-1 || s.stack[k+1].construct {
			s.note("item_closed")
			s.closeTo(k)
		}
		return
	}
}

// enough ends the document after the last item we read. It also takes the facts of an item that a parser will count.
func (s *scanner) enough(t *tag) bool {
	if !s.isItem(t.name) {
		return false
	}
	if len(s.r.Facts.Items) == maxItems {
		s.note("items_cut")
		s.done = true
		return true
	}
	s.r.Facts.Items = append(s.r.Facts.Items, Item{})
	return false
}

// isItem tells whether an item element stands where items belong.
func (s *scanner) isItem(n *name) bool {
	if len(s.stack) == 0 || s.constructs > 0 {
		return false
	}
	parent := s.stack[len(s.stack)-1].name.local
	if s.root.local == "feed" {
		return n.local == "entry" && parent == "feed" && s.isNative(n.prefix)
	}
	return n.local == "item" && (parent == "channel" || parent == "rss" || parent == "rdf") && s.isNative(n.prefix)
}

// reopenChannel merges a second channel into the first: the parser would forget the first.
func (s *scanner) reopenChannel(t *tag) bool {
	if t.name.local != "channel" || s.channelEnd == 0 || len(s.stack) != 1 || s.root.local != "rss" || t.closed {
		return false
	}
	start := bytes.LastIndex(s.out[:s.channelEnd], []byte("</"))
	s.out = append(s.out[:start], s.out[s.channelEnd:]...)
	s.channelEnd = 0
	s.note("channel_merged")
	parent := s.stack[len(s.stack)-1]
	parent.name, parent.at, parent.body, parent.construct = s.firstChannel, len(s.out), len(s.out), false
	s.push(parent)
	return true
}

// open writes a start tag and enters its element.
func (s *scanner) open(t *tag) {
	e := element{name: t.name, at: len(s.out)}
	if len(s.stack) > 0 {
		parent := &s.stack[len(s.stack)-1]
		e.base, e.lang, e.namespaces, e.bases = parent.base, parent.lang, parent.namespaces, parent.bases
	}
	self := t.closed || t.name.kind == void && s.constructs > 0
	if !self && len(s.stack) >= maxDepth {
		s.note("depth_flattened")
		s.suppressed++
		return
	}
	s.scope(t, &e)
	s.linkText(t)
	e.construct = s.isConstruct(t.name)
	lifts := e.construct && s.constructs == 0 && !self && len(s.stack) > 0
	if lifts {
		e.alias = s.aliasOf(t.name)
		s.lift = s.newLift(t, &e)
	}
	s.writeTag(t, &e, self)
	e.body = len(s.out)
	s.lift.enter(len(s.stack), &e, self)
	if self {
		return
	}
	s.factsOf(&e)
	s.push(e)
	if e.name.local == "channel" && s.firstChannel == nil {
		s.firstChannel = e.name
	}
	if lifts {
		s.lift.depth, s.lift.at = len(s.stack), e.body
		s.takeSimple()
	}
	if s.constructs == 0 && s.root.local == "rdf" && e.name.local == "item" {
		s.about(t)
	}
	if s.constructs == 0 && s.root.local == "channel" {
		s.channelAttributes(t)
	}
}

// writeTag writes a start tag. The types of Atom's own elements stay behind: a parser would act on them.
func (s *scanner) writeTag(t *tag, e *element, self bool) {
	name := e.written()
	if s.lift.depth > 0 && t.name.prefix != "" && s.namespaces[t.name.prefix] == xhtml {
		e.bare = true
		name = e.written()
	}
	typeless := s.root.local == "feed" && s.constructs == 0 && t.name.local != "link" && s.isNative(t.name.prefix)
	s.out = append(s.out, '<')
	s.out = append(s.out, name...)
	for i := range t.attributes {
		a := &t.attributes[i]
		if typeless && (a.name.text == "type" || a.name.text == "mode") {
			continue
		}
		s.out = append(s.out, ' ')
		s.out = append(s.out, a.name.text...)
		s.out = append(s.out, '=', '"')
		if e.base != s.textBase() && isAddress(a.name.text) {
			v := unescape(s.appendText(nil, a.value))
			s.out = s.appendAttribute(s.out, escape(canonical.Resolve(e.base, string(v))))
		} else {
			s.out = s.appendAttribute(s.out, a.value)
		}
		s.out = append(s.out, '"')
	}
	if self {
		s.out = append(s.out, '/')
	}
	s.out = append(s.out, '>')
}

// textBase is the base that is applied later to the construct being lifted; empty outside of one.
func (s *scanner) textBase() string {
	if s.lift.depth > 0 {
		return s.lift.text.Base
	}
	return ""
}

// isAddress tells the attributes that xml:base applies to.
func isAddress(name string) bool {
	switch name {
	case "href", "src", "url", "cite", "poster", "action", "background", "longdesc":
		return true
	}
	return false
}

// escape writes a decoded value so that it can be read again as if it were input.
func escape(v string) []byte {
	return []byte(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(v))
}

// linkText makes an href of an address written between the tags of an Atom link.
func (s *scanner) linkText(t *tag) {
	if s.root.local != "feed" || t.name.local != "link" || t.closed || s.constructs > 0 || t.has("href") {
		return
	}
	end := bytes.IndexByte(s.in[s.pos:min(len(s.in), s.pos+4096)], '<')
	if end <= 0 {
		return
	}
	v := bytes.TrimSpace(s.in[s.pos : s.pos+end])
	if len(v) == 0 || bytes.ContainsAny(v, " \t\r\n") {
		return
	}
	s.note("link_text")
	t.attributes = append(t.attributes, attribute{s.names.of([]byte("href")), v})
}

// about makes the guid of an RSS 1.0 item: its rdf:about, which the parser drops.
func (s *scanner) about(t *tag) {
	for i := range t.attributes {
		a := &t.attributes[i]
		if a.name.local == "about" && len(a.value) > 0 {
			s.out = append(s.out, `<guid isPermaLink="false">`...)
			s.out = s.appendText(s.out, a.value)
			s.out = append(s.out, "</guid>"...)
			return
		}
	}
}

// channelAttributes makes elements of what the Channel Definition Format, whose root is a bare channel, says in attributes.
func (s *scanner) channelAttributes(t *tag) {
	if t.name.local != "channel" && t.name.local != "item" {
		return
	}
	for i := range t.attributes {
		a := &t.attributes[i]
		element := ""
		switch {
		case a.name.local == "href":
			element = "link"
		case a.name.local == "lastmod" && t.name.local == "item":
			element = "dcterms:modified"
		case a.name.local == "lastmod":
			element = "lastBuildDate"
		default:
			continue
		}
		s.out = append(append(append(s.out, '<'), element...), '>')
		s.out = s.appendText(s.out, a.value)
		s.out = append(append(append(s.out, '<', '/'), element...), '>')
	}
}

// end handles an end tag.
func (s *scanner) end(rest []byte) {
	n, size := s.endTag(rest)
	if size == 0 {
		s.cut()
		return
	}
	if n == nil {
		s.literal()
		return
	}
	s.pos += size
	k := s.opened(n)
	if s.suppressed > 0 && (k < 0 || k < len(s.stack)-1) {
		s.suppressed--
		return
	}
	switch {
	case k < 0:
		if len(s.stack) > 0 {
			s.note("end_unmatched")
		}
		return
	case s.crosses(k):
		s.note("end_crossing")
		return
	case k < len(s.stack)-1:
		s.r.Notes["end_added"] += len(s.stack) - 1 - k
	}
	s.closeTo(k)
	if len(s.stack) == 0 && s.root != nil {
		s.done = true
		if len(bytes.TrimSpace(s.in[s.pos:])) > 0 {
			s.note("junk_after_root")
		}
	}
}

// opened finds the innermost open element that an end tag may mean, by its exact name, else by any case of letters.
func (s *scanner) opened(n *name) int {
	if *n.fold == 0 {
		return -1
	}
	for k := len(s.stack) - 1; k >= 0; k-- {
		if s.stack[k].name == n {
			return k
		}
	}
	for k := len(s.stack) - 1; k >= 0; k-- {
		if s.stack[k].name.fold == n.fold {
			return k
		}
	}
	return -1
}

// crosses tells an end tag inside a text construct that would close something outside it.
func (s *scanner) crosses(k int) bool {
	if s.constructs == 0 || k == len(s.stack)-1 || s.stack[k].construct {
		return false
	}
	for i := k + 1; i < len(s.stack); i++ {
		if s.stack[i].construct {
			return true
		}
	}
	return false
}

// factsOf notes what is inherited by the root and by items.
func (s *scanner) factsOf(e *element) {
	switch {
	case len(s.stack) == 0:
		s.r.Facts.Base, s.r.Facts.Lang = e.base, e.lang
	case e.name.kind == item && s.isItem(e.name):
		it := &s.r.Facts.Items[len(s.r.Facts.Items)-1]
		it.Base, it.Lang = e.base, e.lang
	}
}
