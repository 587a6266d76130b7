package sheaf

import (
	"crypto/sha1"
	"encoding/hex"
)

// namespaceURL is the name space for addresses of RFC 9562, appendix A.
var namespaceURL = [16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}

// UUID is the name-based UUID (version 5, RFC 9562 section 5.5) of name in the name space for addresses, in its 36-character form. The
// same name gives the same UUID for ever: it is what ids of stories, channels and published items are made of.
func UUID(name string) string {
	h := sha1.New()
	h.Write(namespaceURL[:])
	h.Write([]byte(name))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	s := hex.EncodeToString(u)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// NewStoryID is the id of the story founded by the article: the UUID of its address, or of its id where it has none, so that a lost
// database mostly rebuilds the same ids.
func NewStoryID(founder *Article) StoryID {
	if founder.URL != "" {
		return StoryID(UUID(founder.URL))
	}
	return StoryID(UUID("urn:sheaf:article:" + string(founder.ID)))
}
