package config

// Channel is one published feed.
type Channel struct {
	Name        string    `yaml:"name"`
	Title       string    `yaml:"title"`
	Description string    `yaml:"description"`
	Language    string    `yaml:"language"`
	Profile     string    `yaml:"profile"`
	MinOutlets  int       `yaml:"min_outlets"`
	Filter      Filter    `yaml:"filter"`
	Mute        Mute      `yaml:"mute"`
	Settle      *Duration `yaml:"settle"`
	Size        int       `yaml:"size"`
	Span        Duration  `yaml:"span"`
	Fewest      *int      `yaml:"fewest"`
	Order       string    `yaml:"order"`
	Lead        string    `yaml:"lead"`
	Milestones  []int     `yaml:"milestones"`
	Cooldown    Duration  `yaml:"cooldown"`
	Top         int       `yaml:"top"`
	Every       string    `yaml:"every"`
	Archive     bool      `yaml:"archive"`
	Snippet     *int      `yaml:"snippet"`
	Notify      []Notify  `yaml:"notify"`
	Token       Secret    `yaml:"token"`
}

// Filter is what a story must have to be in a channel.
type Filter struct {
	Outlets     []string `yaml:"outlets"`
	Owners      []string `yaml:"owners"`
	Categories  []string `yaml:"categories"`
	Languages   []string `yaml:"languages"`
	Words       []string `yaml:"words"`
	Independent int      `yaml:"independent"`
	Growth      Growth   `yaml:"growth"`
	Age         Duration `yaml:"age"`
}

// Growth is how fast a story must grow.
type Growth struct {
	Outlets int      `yaml:"outlets"`
	Within  Duration `yaml:"within"`
}

// Mute is what keeps a story out of a channel.
type Mute struct {
	Outlets []string `yaml:"outlets"`
	Words   []string `yaml:"words"`
	Stories []string `yaml:"stories"`
}

// Notify is a receiver that is told of every new item of a channel: a program by webhook, or people by mail.
type Notify struct {
	Webhook string   `yaml:"webhook"`
	Secret  Secret   `yaml:"secret"`
	MailTo  []string `yaml:"mail_to"`
}

// Mail is the server that mail is handed to.
type Mail struct {
	From     string `yaml:"from"`
	Server   string `yaml:"server"`
	User     string `yaml:"user"`
	Password Secret `yaml:"password"`
}
