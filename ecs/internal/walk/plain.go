//go:build ashlarplain

package walk

// wholeTables says that no table has a loop of its own: see fast.go.
const wholeTables = false
