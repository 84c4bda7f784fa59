// Package promise finds out whether Parallel systems keep their promise, which is to touch only the things that their structs
// name. There are two ways, and neither changes a result:
//
//	checked builds   a [Watch] compares calls with the struct of the system that runs, and sums of all things that it must not
//	                 change, before and after it
//	Shuffled         a [Trace] of the results of all systems is compared with one of another legal order
//
// Sums see each byte of memory. Digests see values: two that are equal have one digest, whatever their addresses are. Neither
// looks behind pointers or into maps.
package promise
