// Package benchmarks measures packages of opsroom beside the standard library
// and beside other libraries, in one run:
//
//	go -C internal/benchmarks test -bench .
//
// It is a module of its own, so that nobody who imports opsroom downloads the
// other libraries.
package benchmarks
