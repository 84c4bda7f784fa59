package guide

// check is a helper of the snippets of all pages, for calls that return an error alone.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// must is check for calls that return a value beside the error.
func must[T any](v T, err error) T {
	check(err)
	return v
}
