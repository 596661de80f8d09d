//go:build !race

package insights_test

const underRace = false
