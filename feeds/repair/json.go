package repair

import "fmt"

// Limits of JSON.
const (
	maxJSONDepth      = 64
	maxJSONContainers = 100_000
	maxJSONValues     = 400_000 // told by their commas
)

// jsonScanner rewrites a JSON document.
type jsonScanner struct {
	out        []byte
	stack      []byte // open brackets
	isItems    bool   // the array at depth 2 is that of the items
	key        string // last string read at depth 1
	items      int
	skipping   bool // further items are dropped
	containers int
	values     int
	lastItem   int // length of the output after the last whole item; 0: none
	lastMember int // length of the output after the last whole member of the root
	r          Result
}

// JSON makes a JSON Feed readable: commas before a closing bracket go, control characters in strings are escaped, items over the limit
// are dropped, and a document that was cut off ends after its last whole item. It fails only with an error wrapping ErrLimits.
func JSON(text []byte) (Result, error) {
	s := &jsonScanner{out: make([]byte, 0, len(text)), r: Result{Root: "json", Notes: make(map[string]int)}}
	for i := 0; i < len(text); {
		n, err := s.token(text[i:])
		if err != nil {
			return Result{}, err
		}
		i += n
		if len(s.stack) == 0 && s.containers > 0 {
			break
		}
	}
	s.finish()
	s.r.Text = s.out
	return s.r, nil
}

// token handles what starts at b and returns its length.
func (s *jsonScanner) token(b []byte) (int, error) {
	c := b[0]
	switch c {
	case '"':
		return s.str(b), nil
	case '{', '[':
		return 1, s.push(c)
	case '}', ']':
		s.pop(c)
		return 1, nil
	case ',':
		return 1, s.comma()
	}
	if isNameStart(c) || c == '-' && len(b) > 1 && isNameStart(b[1]) {
		return s.word(b), nil
	}
	s.put(c)
	return 1, nil
}

// word copies true, false and null, and makes null of others, such as NaN. Exponents are words, too, after a digit.
func (s *jsonScanner) word(b []byte) int {
	end := nameEnd(b, 1)
	w := string(b[:end])
	number := len(s.out) > 0 && s.out[len(s.out)-1] >= '0' && s.out[len(s.out)-1] <= '9'
	if !number && w != "true" && w != "false" && w != "null" {
		s.r.Notes["json_word"]++
		w = "null"
	}
	for i := range len(w) {
		s.put(w[i])
	}
	return end
}

func (s *jsonScanner) put(c byte) {
	if !s.skipping {
		s.out = append(s.out, c)
	}
}

// str copies a string. One that never ends is left out.
func (s *jsonScanner) str(b []byte) int {
	start := len(s.out)
	s.put('"')
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && i+1 < len(b) && b[i+1] >= 0x20:
			s.put(c)
			i++
			s.put(b[i])
		case c == '"':
			s.put(c)
			if len(s.stack) == 1 {
				s.key = string(b[1:i])
			}
			return i + 1
		case c == '\n':
			s.escape("\\n")
		case c == '\t':
			s.escape("\\t")
		case c < 0x20:
			s.escape(" ")
		default:
			s.put(c)
		}
	}
	s.out = s.out[:min(start, len(s.out))]
	return len(b)
}

func (s *jsonScanner) escape(with string) {
	s.r.Notes["json_control"]++
	for i := range len(with) {
		s.put(with[i])
	}
}

func (s *jsonScanner) push(c byte) error {
	s.containers++
	if s.containers > maxJSONContainers {
		return exceeded("objects and arrays", maxJSONContainers)
	}
	if len(s.stack) == maxJSONDepth {
		return exceeded("nested objects and arrays", maxJSONDepth)
	}
	s.stack = append(s.stack, c)
	if len(s.stack) == 2 {
		s.isItems = c == '[' && s.key == "items"
	}
	s.put(c)
	return nil
}

// pop closes a bracket; one that closes nothing is dropped, one of the wrong kind is put right.
func (s *jsonScanner) pop(c byte) {
	depth := len(s.stack)
	if depth == 0 {
		return
	}
	want := byte('}')
	if s.stack[depth-1] == '[' {
		want = ']'
	}
	if c != want {
		s.r.Notes["json_bracket"]++
	}
	if depth == 2 && s.isItems {
		s.skipping = false
	}
	if !s.skipping {
		s.dropComma()
	}
	s.put(want)
	s.stack = s.stack[:depth-1]
	switch {
	case depth == 3 && s.isItems && !s.skipping:
		s.items++
		s.lastItem = len(s.out)
		s.skipping = s.items == maxItems
		if s.skipping {
			s.r.Notes["items_cut"]++
		}
	case depth == 2:
		s.isItems = false
		s.lastMember = len(s.out)
	}
}

func (s *jsonScanner) comma() error {
	if s.values++; s.values > maxJSONValues {
		return exceeded("values", maxJSONValues)
	}
	if len(s.stack) == 1 {
		s.lastMember = len(s.out)
	}
	s.put(',')
	return nil
}

func (s *jsonScanner) dropComma() {
	k := len(s.out)
	for k > 0 && isSpace(s.out[k-1]) {
		k--
	}
	if k > 0 && s.out[k-1] == ',' {
		s.r.Notes["json_comma"]++
		s.out = s.out[:k-1]
	}
}

// finish ends a document that was cut off.
func (s *jsonScanner) finish() {
	if len(s.stack) == 0 {
		return
	}
	s.r.Truncated = true
	s.r.Notes["truncated"]++
	switch {
	case s.isItems && s.lastItem > 0:
		s.out = append(s.out[:s.lastItem], "]}"...)
	case s.isItems:
		s.out = append(s.out[:s.lastMember], '}')
	case s.lastMember > 0:
		s.out = append(s.out[:s.lastMember], '}')
	default:
		s.out = append(s.out[:0], "{}"...)
	}
	if s.out[0] != '{' {
		s.out = fmt.Append(nil, "{}")
	}
}
