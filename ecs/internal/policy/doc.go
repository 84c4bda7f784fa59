// Package policy decides how each component of a store is stored: as a fixed column of
// tables, as an optional column with presence bits, or thin, as a sparse set of its
// own. It only decides: counts go in, change-overs come out, and the store carries them
// out. It knows neither entities nor memory nor time. It uses integers throughout, so the
// same calls give the same decisions on every machine.
//
// # Picture
//
//	              removed often · tables too small
//	      ┌────────────────────────┬────────────────────┐
//	      │            as many have it        as few have it
//	      │                        ↓                    ↓
//	┌───────────┐            ┌──────────┐  few    ┌────────┐
//	│   fixed   │            │ optional │ ──────→ │  thin  │
//	└───────────┘            └──────────┘ ←────── └────────┘
//	      ↑                        │       many         │
//	      └────────────────────────┴────────────────────┘
//	           rarely removed, and tables stay large
//
//	stated: any of the three, for good
//
// # Words
//
// Removes are calls that take a component from an entity that lives on. Visited rows
// are rows on which scheduled systems run that require the component, and four times
// those on which systems run that exclude it. A component is volatile if removes exceed
// its limit: 20 for 10,000 rows visited, 1 for 4,096 entities that have it, and 1 more.
// It is calm below a quarter of the limit. Rates decay by 7/8 a frame.
//
// # When a component changes over
//
//   - Fixed → optional or thin, removed often: it is volatile, and was removed in 4 of
//     the last 64 frames. So one burst moves nothing, and a system that runs in every
//     tenth frame counts. This change-over does not wait until no rows move. It helps as
//     soon as the store has made words for the component: from then on adds and removes
//     write bits, before any row has moved.
//   - Fixed → optional or thin, tables too small: more than 16 tables have rows, and
//     fewer than 64 on average. Up to eight components at once, those first whose bits
//     cost least for each table that merges.
//   - Optional or thin → fixed, rarely removed: it was calm for 120 frames, and its bits
//     have cost as much meanwhile as moving the rows that have it. Tables that split in
//     two must still have 64 rows on average.
//   - Optional → thin: for 120 frames, fewer than 1 in 16 rows of its tables had it.
//   - Thin → optional: more than 1 in 8 have it.
//
// All but the first wait until no rows move. Components due in the same frame change over
// together, because a row then moves once for all of them. One at a time, twelve components
// that half of the entities have would cost six times as many moves.
//
// Adds do not count. Most happen once in an entity's life, and a component that comes and
// goes is counted as it goes. Births and deaths do not count either, because they cost the
// same in every way.
//
// # Promises
//
//   - Two change-overs of a component are at least 4 frames apart (Options.Frames).
//   - A component changes over at most three times in 120 frames (Options.Hold). Of three
//     change-overs in a row two never both come early, because the step to fixed and the
//     step from optional to thin begin with that wait.
//   - A component that is busy and quiet by turns costs at most about twice what the better
//     of the two ways would. One that is quiet for a short time stays as it is.
//   - A component that becomes fixed never makes tables too small.
//   - A frame costs nothing for components that are fixed and not removed.
//
// # Where the numbers come from
//
// A model of whole frames in plain Go compared archetypes with optional columns:
//
//   - Of 64k entities in 256 sets, two of twelve components come and go. Optional columns
//     win from 8 removes for 10,000 rows visited.
//   - All systems exclude a tag. Optional columns win from 65 removes if half of the entities
//     have it, and from 100 if few do.
//   - 262k entities are busy for 40 frames and quiet for 80. If a component becomes fixed
//     again in each quiet phase, the median frame is 1.5x an archetype's, and the 99th
//     percentile 0.7x. If it stays optional they are 1.2x and 0.5x.
//
// So the limit is 20, with a margin on the side of fixed, and an excluded row counts as four.
//
// # Advice
//
// Count rows visited by system, not by component, and add them up for a component when the
// policy asks, which is seldom. Do not count queries by hand: a tool would change what it
// inspects. Give Among as the rows of the tables that have the column, not of all entities.
// Otherwise a component of half of the bullets becomes thin if there are few bullets. Show
// [Report] where a user looks for the reason. State a way in code only if the policy learns
// too late, as for a burst in one frame that must not stutter.
package policy
