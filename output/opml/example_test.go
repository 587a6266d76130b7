package opml_test

import (
	"fmt"
	"log"
	"strings"

	"sheaf/output/opml"
)

func ExampleRead() {
	feeds, err := opml.Read(strings.NewReader(`<opml version="1.0"><body>
		<outline text="News"><outline type="rss" text="Alpha" xmlUrl="https://alpha.example/feed"/></outline>
	</body></opml>`))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range feeds {
		fmt.Println(f.Folder, f.Title, f.URL)
	}
	// Output: [News] Alpha https://alpha.example/feed
}
