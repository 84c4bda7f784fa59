// Command ashlarvet finds code that breaks a promise to package ecs and compiles all the same:
//
//	go install github.com/ashlar-go/ashlar/cmd/ashlarvet@latest
//	go vet -vettool=$(which ashlarvet) ./...
//
// It has three analyzers. Parallelwrites reports writes to variables outside of a system that promises
// ecs.Parallel. Batchescape reports slices and pointers of a batch that are kept beyond the call, or the turn of a
// loop, that they are good for. Readonly reports writes to columns and values that were asked for to be read. Each has a flag of its name, so -batchescape=false leaves one out. Named packages
// are checked without go vet: ashlarvet ./...
//
// Both go through the functions that ecs calls, and on through functions of the same package. They follow
// values, in the form of package ssa. A method of another package writes its receiver if its code names a part of
// that and writes it. Other calls of other packages, and calls through interfaces, are taken to write nothing but an address
// that they are passed.
package main

import "golang.org/x/tools/go/analysis/multichecker"

func main() {
	multichecker.Main(parallelWrites, batchEscape, readOnly)
}
