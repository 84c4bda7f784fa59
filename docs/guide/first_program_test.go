package guide

// must is a helper of the snippets of all pages.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// check is must for calls that return an error alone.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
