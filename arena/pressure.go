package arena

// gauged is the arena's gauge, made when it is first asked for.
func (a *Arena) gauged() *gauge {
	if !a.looked {
		a.gauge, a.looked = newGauge(nil), true
	}
	return a.gauge
}

// Pressure reads how short of memory the process is now, as gauge.read does. The first call
// finds the files, which takes a part of a millisecond.
func (a *Arena) Pressure() Pressure { return a.gauged().read() }

// pressureOf reads the pressure where the system refused something.
func (a *Arena) pressureOf(err error) (p Pressure) {
	if err != nil {
		p = a.Pressure()
	}
	return p
}
