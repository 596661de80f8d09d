// Package insightstest is the insights tool in memory, for tests of code that
// uses package insights.
package insightstest
