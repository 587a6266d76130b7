package output_test

import (
	"fmt"
	"log"
	"os"
	"time"

	"sheaf"
	"sheaf/output"
)

// A channel lives from publish to publish by its memory, which the caller keeps.
func Example() {
	nine := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	report := func(id, outlet, title string, at time.Time) sheaf.Member {
		return sheaf.Member{Role: sheaf.RoleReport, Article: sheaf.Article{
			ID: sheaf.ArticleID(id), Outlet: sheaf.Outlet{Name: outlet}, Title: title, URL: "https://" + id + ".example/ferry", Published: at,
		}}
	}
	site := output.Site{Title: "Monitor", BaseURL: "https://news.example.org"}
	channel := output.Channel{Name: "stories", Settle: 10 * time.Minute}

	ferry := sheaf.Story{ID: sheaf.StoryID(sheaf.UUID("https://alpha.example/ferry")), Lead: "alpha"}
	ferry.Members = append(ferry.Members, report("alpha", "Alpha News", "Ferry hits bridge", nine))
	memory := channel.Advance(nil, []sheaf.Story{ferry}, nil, nine.Add(15*time.Minute))
	show(memory)

	ferry.Members = append(ferry.Members, report("beta", "Beta & Sons", "Bridge closed", nine.Add(time.Hour)))
	memory = channel.Advance(memory, []sheaf.Story{ferry}, nil, nine.Add(2*time.Hour))
	show(memory)

	dir, err := os.MkdirTemp("", "public")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for range 2 {
		files, err := channel.Render(site, memory, nil)
		if err != nil {
			log.Fatal(err)
		}
		written, err := output.Publish(dir, files)
		fmt.Println(written, err)
	}
	// Output:
	// Ferry hits bridge: Alpha News, updated 09:00
	// Ferry hits bridge: Alpha News, Beta & Sons, updated 10:00
	// [stories.rss stories.atom stories.json] <nil>
	// [] <nil>
}

func show(memory []output.Emission) {
	for _, e := range memory {
		fmt.Printf("%s: %s, updated %s\n", e.Item.Title, e.Byline(), e.Updated.Format("15:04"))
	}
}
