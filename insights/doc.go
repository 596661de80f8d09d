// Package insights reads the insights that Microsoft Foundry has generated about
// an agent, through the MCP tool agent_insights_get.
package insights
