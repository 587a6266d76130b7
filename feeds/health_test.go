package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sheaf"
)

func TestHealth(t *testing.T) {
	failing := func(code FetchCode, status int) State {
		return State{Failures: 3, Failing: noon.Add(-2 * day), Code: code, Status: status, Error: "fetch https://a.example/: it fails"}
	}
	for _, tt := range []struct {
		name    string
		s       State
		want    Condition // the first; empty: well
		trouble bool
		says    string
	}{
		{"never polled", State{}, "", false, ""},
		{"well", State{Succeeded: noon, Rhythm: Rhythm{Count: 10, At: noon.Add(-time.Hour)}, First: noon.Add(-9 * day)}, "", false, ""},
		{"refused", failing(FetchBlocked, 403), ConditionBlocked, true, "ask for access"},
		{"log-in", failing(FetchBlocked, 401), ConditionBlocked, true, "log-in"},
		{"404", failing(FetchMissing, 404), ConditionMissing, true, "3 failures since 2026-11-28: fetch https://a.example/: it fails"},
		{"no such host", failing(FetchNoHost, 0), ConditionMissing, true, "new address"},
		{"410", failing(FetchGone, 410), ConditionGone, true, "successor"},
		{"429", failing(FetchBusy, 429), ConditionBusy, true, "nothing needs to be done"},
		{"500", failing(FetchServer, 500), ConditionFailing, true, "goes on trying"},
		{"private", failing(FetchPrivate, 0), ConditionFailing, true, "allowed private hosts"},
		{"no feed", failing("", 200), ConditionFailing, true, "goes on trying"},
		{"panic", failing(FetchPanic, 200), ConditionFailing, true, "report it"},
		{"busy feed gone quiet", State{First: noon.Add(-60 * day), Rhythm: Rhythm{Count: 240, At: noon.Add(-3 * day)}}, ConditionSilent, true, "nothing new for 3 days, where"},
		{"slow feed, as quiet as ever", State{First: noon.Add(-60 * day), Rhythm: Rhythm{Count: 2, At: noon.Add(-3 * day)}}, "", false, ""},
		{"quiet for a day only", State{First: noon.Add(-60 * day), Rhythm: Rhythm{Count: 240, At: noon.Add(-day)}}, "", false, ""},
		{"silent, but failing", State{Failures: 1, First: noon.Add(-60 * day), Rhythm: Rhythm{Count: 240, At: noon.Add(-3 * day)}}, ConditionFailing, true, "1 failure since"},
		{"old news", State{Quality: Quality{Newest: noon.AddDate(-2, 0, 0)}}, ConditionStale, true, "2024-11-30"},
		{"moved", State{Moved: Moved{To: "https://b.example/feed?key=s", Used: true}}, ConditionMoved, false, "https://b.example/feed?key=…"},
		{"redirects not yet believed", State{Moved: Moved{To: "https://b.example/feed", Times: 3}}, "", false, ""},
		{"unchecked certificate", State{Waived: true}, ConditionWaived, false, "insecure_tls"},
		{"no dates", State{Quality: Quality{Items: 10, Undated: 6}}, ConditionUndated, false, "6 of 10"},
		{"a date missing here and there", State{Quality: Quality{Items: 10, Undated: 5}}, "", false, ""},
		{"dates ahead", State{Quality: Quality{Items: 10, Future: 3}}, ConditionFuture, false, "3 of 10"},
		{"ids churn", State{Quality: Quality{Items: 10, Churned: 3}}, ConditionChurning, false, "3 documents"},
		{"dates move", State{Quality: Quality{Items: 10, Restamped: 3}}, ConditionRestamped, false, "3 documents"},
		{"dates moved twice", State{Quality: Quality{Items: 10, Restamped: 2}}, "", false, ""},
		{"never a 304", State{Caching: Caching{Wasted: 10}}, ConditionWasteful, false, "10 times"},
		{"a 304 now and then", State{Caching: Caching{Wasted: 10, Capable: true}}, "", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := Health(tt.s, noon)
			if len(found) == 0 {
				if tt.want != "" {
					t.Fatalf("no findings, want %s", tt.want)
				}
				return
			}
			f := found[0]
			if f.Condition != tt.want || f.Trouble != tt.trouble || f.Advice == "" || !strings.Contains(f.Message+"; "+f.Advice, tt.says) {
				t.Errorf("Health = %+v, want %s, trouble %v, saying %q", found, tt.want, tt.trouble, tt.says)
			}
		})
	}
}

func TestQuality(t *testing.T) {
	document := func(prefix string, at time.Time) (articles []sheaf.Article) {
		for i := range 6 {
			articles = append(articles, sheaf.Article{ID: sheaf.ArticleID(fmt.Sprint(prefix, i)), Published: at})
		}
		return articles
	}
	before := Rhythm{}
	before, _ = before.observe(document("a", noon.Add(-day)), noon, noon)
	now := noon.Add(time.Hour)
	mixed := document("b", now)
	mixed[0].Published, mixed[1].Published = time.Time{}, now.Add(day)
	for _, tt := range []struct {
		name     string
		articles []sheaf.Article
		want     Quality
	}{
		{"known items", document("a", noon.Add(-day)), Quality{Items: 6, Newest: noon.Add(-day)}},
		{"a busy hour is no churn", document("b", noon.Add(time.Minute)), Quality{Items: 6, Newest: noon.Add(time.Minute)}},
		{"old items under new ids", document("b", noon.Add(-day)), Quality{Items: 6, Newest: noon.Add(-day), Churned: 3}},
		{"known items with new dates", document("a", noon.Add(time.Minute)), Quality{Items: 6, Newest: noon.Add(time.Minute), Restamped: 3}},
		{"bad dates", mixed, Quality{Items: 6, Undated: 1, Future: 1, Newest: now}},
		{"empty", nil, Quality{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Quality{Churned: 2, Restamped: 2}).judged(tt.articles, before, noon, now); got != tt.want {
				t.Errorf("judged = %+v, want %+v", got, tt.want)
			}
		})
	}
}
