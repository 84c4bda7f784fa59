package field

// ParseTag and Edits are for tests beside types of package ecs.
var (
	ParseTag = parseTag
	Edits    = edits
)
