// Package agentctltest is an in-memory agent control plane for tests and demonstrations.
package agentctltest
