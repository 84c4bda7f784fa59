package ecs_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// One error names every option that is wrong, and no option that is right.
func TestOptionsAllProblemsAtOnce(t *testing.T) {
	var adapt memmgr.AdaptOptions
	adapt.Budget.Time, adapt.Every, adapt.Frame, adapt.Decay = -1, -2, -3, -4
	w := ecs.New(ecs.Options{
		MaxEntities: math.MaxUint32, Tag: 16, Name: "a b", FixedStep: -time.Second, MaxSteps: -1, Views: ecs.Views{Off: true, Always: true}, Adapt: adapt,
		TimeEvery: -5, Workers: 1025,
		Memory: memmgr.Options{Arena: arena.Options{Backend: 7}},
	})
	err := w.Err()
	if err == nil || !strings.HasPrefix(err.Error(), "ecs: Options.MaxEntities is 4294967295; it must be at most 4294967293; Options.") {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		"Options.Tag is 16; ", `Options.Name "a b": `, "Options.FixedStep is -1s: it must not be negative", "Options.MaxSteps is -1: ",
		"Options.Views.Off and Views.Always contradict each other: ", "Options.Adapt.Budget.Time is -1ns: ", "Options.Adapt.Every is -2: ", "Options.Adapt.Frame is -3ns: ",
		"Options.TimeEvery is -5: ", "Options.Workers is 1025; it must be at most 1024, ",
		"Options.Memory.Arena.Backend is 7: give Auto, OS or Heap",
	} {
		if strings.Count(err.Error(), want) != 1 {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "Decay") {
		t.Errorf("a negative Decay is as fast as the budget allows: %v", err)
	}
}
