//go:build race

package insights_test

// underRace: the race detector makes reading a million insights five times as slow.
const underRace = true
