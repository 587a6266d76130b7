package config

// Editors says who may correct stories from their pages.
type Editors struct {
	Token Secret `yaml:"token"` // given as a password, under any name; empty: nobody may
}

// shortestToken is what cannot be guessed at ten tries a second.
const shortestToken = 16

func (k checker) editors(e Editors) {
	if token := e.Token.Reveal(); token != "" && len(token) < shortestToken {
		k.fault("editors.token", "%d characters are too few for a secret; take %d or more, such as what `openssl rand -hex 16` gives", len(token), shortestToken)
	}
}
