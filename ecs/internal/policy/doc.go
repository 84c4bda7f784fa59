// Package policy decides how each component of a store is stored: as a fixed column of
// tables, as an optional column with presence bits, or thin, as a sparse set of its
// own. It only decides: numbers go in, change-overs come out, and the store carries them
// out. It knows neither entities nor memory nor time, and uses integers throughout, so
// that the same calls give the same decisions on every machine.
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
//     tenth frame counts. This does not wait until no rows move: it helps as soon as
//     the store has made words for the component. From then on adds and removes write
//     bits, before any row has moved.
//   - Fixed → optional or thin, tables too small: more than 16 tables have rows, and
//     fewer than 64 on average. Up to eight components at once, those first whose bits
//     cost least for each table that merges.
//   - Optional or thin → fixed, rarely removed: it was calm for 120 frames, and its bits
//     have cost as much meanwhile as it costs to move the rows that have it. There must
//     be room: tables that split in two still have 64 rows on average.
//   - Optional → thin: for 120 frames, fewer than 1 in 16 rows of its tables had it.
//   - Thin → optional: more than 1 in 8 have it.
//
// All but the first wait until no rows move. Those due in the same frame change over
// together, because a row that moves then moves once for all of them: one at a time,
// twelve that half of the entities have would cost six times as many moves.
//
// Adds do not count: most happen once in an entity's life, and what is added and goes
// is counted as it goes. Births and deaths do not count either, since they cost the
// same whichever way is taken.
//
// # Promises
//
//   - Two change-overs of a component are at least 4 frames apart (Options.Frames).
//   - A component changes over at most three times in 120 frames (Options.Hold): two of
//     three change-overs that follow each other never both come early, since the way to
//     fixed and the way from optional to thin begin with that wait.
//   - By turns busy and quiet, a component costs at most about twice what the better of
//     the two ways would, whatever the turns: what is quiet for a short time stays.
//   - What becomes fixed never makes tables too small.
//   - A frame costs nothing for components that are fixed and not removed.
//
// # Where the numbers come from
//
// A model of whole frames in plain Go, archetypes against optional columns. Of 64k
// entities in 256 sets, two of twelve components come and go: optional columns win from 8
// removes for 10,000 rows visited. A tag that all systems exclude: they win from 65
// where half of the entities have it, and from 100 where few do. So the limit is 20,
// with a margin on the side of fixed, and an excluded row is charged as four. Busy for
// 40 frames and quiet for 80, 262k entities: the median frame is 1.5x an archetype's if
// a component becomes fixed again in each quiet phase, and 1.2x if it stays optional;
// the 99th percentile is 0.7x and 0.5x.
//
// # Advice
//
// Count rows visited by system, not by component, and add them up for a component when
// the policy asks: it asks for few. Do not count queries by hand, or a tool changes what
// it inspects. Give Among as the rows of the tables that have the column, not of all
// entities, or what half of the bullets have becomes thin since there are few bullets.
// Show [Report] where a user looks for the reason. State a way in code only where the
// policy learns too late, as for a burst in one frame that must not stutter.
package policy
