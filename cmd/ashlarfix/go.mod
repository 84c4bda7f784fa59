module github.com/ashlar-go/ashlar/cmd/ashlarfix

go 1.26
