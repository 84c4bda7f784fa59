module github.com/ashlar-go/ashlar/bench

go 1.26.0

require github.com/ashlar-go/ashlar v0.0.0

require golang.org/x/sys v0.49.0

require gonum.org/v1/gonum v0.17.0

require golang.org/x/arch v0.33.0

replace github.com/ashlar-go/ashlar => ../
