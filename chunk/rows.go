package chunk

import "reflect"

// Rows returns how many rows fit a full chunk with columns of these types. The
// error names the type that can't be stored: a type that holds a Go pointer, with the path of the
// field, or a row that is larger than a chunk.
func Rows(columns ...reflect.Type) (int, error) {
	specs := make([]Spec, len(columns))
	for i, t := range columns {
		var err error
		if specs[i], err = SpecOf(t); err != nil {
			return 0, err
		}
	}
	layout, err := layoutOf(specs)
	if err != nil {
		return 0, err
	}
	return int(layout.Capacity()), nil
}
