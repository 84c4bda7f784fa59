package report

import "io"

// HTML is below.
func HTML(out io.Writer, rows []Row) error { return nil }
