package repair

import "bytes"

// Limits of Check. Those that rewriting keeps have a margin here.
const (
	checkDepth      = 128
	checkAttributes = 256
	checkNamespaces = 128
	checkBases      = 16
	checkTotal      = 500_000   // attributes in all
	checkElements   = 200_000   // elements
	checkScopes     = 2_000_000 // sum over all elements of the declarations in scope
	checkItems      = maxItems + 1
	checkJoined     = 64 << 20 // bytes of joined text, see frame
)

// frame is an open element to Check. Parsers append to the text of an element at each of its children, so the cost of a text is the sum
// of its lengths after every piece.
type frame struct {
	namespaces, bases int
	text              int64
}

// checker is one run of Check.
type checker struct {
	b          []byte
	stack      []frame
	namespaces int // in scope
	bases      int // in scope
	elements   int
	attributes int
	items      int
	scopes     int64
	joined     int64
}

// Check refuses XML whose structure makes a tree-building parser blow up, with an error wrapping ErrLimits. It is no validator: what
// ends inside a construct is left for the parser to refuse. It must see the very bytes that the parser will see.
func Check(b []byte) error {
	c := checker{b: b, stack: make([]frame, 1, checkDepth+2)}
	for i := 0; i < len(b); {
		next := bytes.IndexByte(b[i:], '<')
		if next < 0 {
			return nil
		}
		if err := c.join(next); err != nil {
			return err
		}
		size, err := c.markup(b[i+next:])
		if err != nil || size == 0 {
			return err
		}
		i += next + size
	}
	return nil
}

// join adds n bytes to the text of the innermost element.
func (c *checker) join(n int) error {
	if n == 0 {
		return nil
	}
	f := &c.stack[len(c.stack)-1]
	f.text += int64(n)
	c.joined += f.text
	if c.joined-2*int64(len(c.b)) > checkJoined {
		return exceeded("bytes of joined text", checkJoined)
	}
	return nil
}

// markup steps over the construct at the start of rest and returns its length, 0 if it never ends.
func (c *checker) markup(rest []byte) (int, error) {
	switch {
	case bytes.HasPrefix(rest, []byte("</")):
		if n := len(c.stack) - 1; n > 0 {
			c.namespaces -= c.stack[n].namespaces
			c.bases -= c.stack[n].bases
			c.stack = c.stack[:n]
		}
		return until(rest, 2, ">"), nil
	case bytes.HasPrefix(rest, []byte("<!--")):
		return until(rest, 4, "-->"), nil
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		n := until(rest, 9, "]]>")
		return n, c.join(n)
	case bytes.HasPrefix(rest, []byte("<?")):
		return until(rest, 2, "?>"), nil
	case bytes.HasPrefix(rest, []byte("<!")):
		return 0, exceeded("declarations", 0) // repair leaves none, and where one ends is for nobody to guess
	}
	return c.start(rest)
}

func until(rest []byte, from int, end string) int {
	i := bytes.Index(rest[from:], []byte(end))
	if i < 0 {
		return 0
	}
	return from + i + len(end)
}

// start scans a start tag to its end, counting attributes by their equals signs.
func (c *checker) start(rest []byte) (int, error) {
	var f frame
	attributes, i := 0, 1
	for ; i < len(rest) && rest[i] != '>'; i++ {
		switch q := rest[i]; q {
		case '"', '\'':
			end := bytes.IndexByte(rest[i+1:], q)
			if end < 0 {
				return 0, nil
			}
			i += end + 1
		case '=':
			attributes++
			switch name := nameBefore(rest[:i]); {
			case bytes.HasPrefix(name, []byte("xmlns")):
				f.namespaces++
			case string(name) == "xml:base":
				f.bases++
			}
		}
	}
	if i == len(rest) {
		return 0, nil
	}
	if isItemTag(rest) {
		c.items++
	}
	return i + 1, c.enter(f, attributes, rest[i-1] == '/')
}

// nameBefore is the attribute name that ends at the end of b.
func nameBefore(b []byte) []byte {
	end := len(b)
	for end > 0 && isSpace(b[end-1]) {
		end--
	}
	start := end
	for start > 0 && isNameByte(b[start-1]) && end-start <= 64 {
		start--
	}
	return b[start:end]
}

func isItemTag(rest []byte) bool {
	end := nameEnd(rest, 1)
	name := rest[1:end]
	return string(name) == "item" || string(name) == "entry"
}

// enter counts an element and opens it unless it is closed already.
func (c *checker) enter(f frame, attributes int, closed bool) error {
	c.elements++
	c.attributes += attributes
	c.scopes += int64(c.namespaces + f.namespaces)
	switch {
	case c.elements > checkElements:
		return exceeded("elements", checkElements)
	case c.items > checkItems:
		return exceeded("items", checkItems)
	case attributes > checkAttributes:
		return exceeded("attributes of one element", checkAttributes)
	case c.attributes > checkTotal:
		return exceeded("attributes", checkTotal)
	case c.namespaces+f.namespaces > checkNamespaces:
		return exceeded("namespaces in scope", checkNamespaces)
	case c.scopes > checkScopes:
		return exceeded("namespaces in scope of all elements", checkScopes)
	case c.bases+f.bases > checkBases:
		return exceeded("base addresses in scope", checkBases)
	case closed:
		return nil
	case len(c.stack) > checkDepth:
		return exceeded("nested elements", checkDepth)
	}
	c.namespaces += f.namespaces
	c.bases += f.bases
	c.stack = append(c.stack, f)
	return nil
}
