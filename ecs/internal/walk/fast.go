//go:build !ashlarplain

package walk

// wholeTables says that whole tables are passed by a loop of their own: see whole.go. It is the
// only fast path of walks, and the tag ashlarplain leaves it out. No result depends on it.
const wholeTables = true
