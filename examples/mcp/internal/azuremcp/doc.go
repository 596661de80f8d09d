// Package azuremcp imitates the Azure MCP server, in what a client that reads
// agent insights can see of it: the ways in which it offers the tool, and the texts
// in which it says that something went wrong. Most of those come without isError.
//
// Behind it stands [insightstest.Backend] in the place of Foundry's own server. It
// is for tests, over any transport; [Main] serves it on stdio.
package azuremcp
