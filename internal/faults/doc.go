// Package faults makes the servers of the test kits misbehave on demand.
//
// A [Queue] stands in front of a handler. Faults are added to it and used up one
// a request, in the order in which they were added; requests that find the
// queue empty are served as usual. The zero [Fault] is no fault, which lets a
// request pass before the next one fails.
//
// Faults come in two families. Some stand in for the operation, which then has
// no effect on the server's state: [Answer], [Problem], [ProxyPage], [Hang] and
// [Cut]. The others let it happen and spoil its answer: [CutBody], [SlowBody],
// [PadBody], [TruncateBody], [ContentType] and [Delay]. [Fault.AfterEffect]
// turns one of the first family into one that comes after the effect.
package faults
