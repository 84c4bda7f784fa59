// Package adapt has a memory manager fit its program: it gives idle memory back, and says which
// chunks are to be moved. It stands above memmgr, which moves them at its safe points:
//
//	adapt                                memmgr
//	 decay     how much idle memory  ──→ Arena, Purge
//	 pressure  … and how fast
//	 evacuate  which region to empty ──→ Leave, Stay
//	 Options   cold, pinned, budgets ──→ Keep, SetBudget
//	 Walk      in which order        ──→ Leave
//
// What to do is decided by functions of what is known and of the time, which change nothing else:
// due, hurried, toEmpty. An [Adapter] does it at the end of each frame:
//
//	frame
//	│ system                      a user of memmgr.Manager:
//	│ SafePoint ─→ chunks that are astray come where they belong, within the budget
//	│ system
//	│ SafePoint
//	└ EndFrame  ─→ idle memory goes back by its age: whole regions first
//	            ─→ a region to empty, now and then, where memory goes back by whole ones
//
// No end of a frame takes longer than the budget and one step of giving back, which is one system
// call. A look for a region costs a pass over regions, never over chunks.
package adapt
