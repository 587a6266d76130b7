package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// formLife is how long a form can be sent after its page was made.
const formLife = 2 * time.Hour

// seal is the value that a form carries to show that this server made it, for this story and editor, and until when it holds: a browser
// gives the token by itself to whoever makes it ask, but another site cannot read our pages.
func (e *Edit) seal(story, author string) string {
	expires := e.now().Add(formLife).Unix()
	return strconv.FormatInt(expires, 10) + "." + e.mac(story, author, expires)
}

// sealed says that a value is the seal of such a form and still holds.
func (e *Edit) sealed(value, story, author string) bool {
	until, mac, ok := strings.Cut(value, ".")
	expires, err := strconv.ParseInt(until, 10, 64)
	if !ok || err != nil || !hmac.Equal([]byte(mac), []byte(e.mac(story, author, expires))) {
		return false
	}
	return e.now().Unix() <= expires
}

func (e *Edit) mac(story, author string, expires int64) string {
	m := hmac.New(sha256.New, []byte(e.Token))
	fmt.Fprintf(m, "form %q %q %d", story, author, expires)
	return hex.EncodeToString(m.Sum(nil))
}

func (e *Edit) now() time.Time {
	if e.Now != nil {
		return e.Now()
	}
	return time.Now()
}
