package profile

import "io"

// WriteTo writes the text form of a map, as WriteRun does.
func (m Map) WriteTo(w io.Writer) (int64, error) { return writeTo(w, m.text) }
