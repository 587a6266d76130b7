//go:build !race

package feeds

// raceEnabled tells tests of time and memory that they would measure the race detector.
const raceEnabled = false
