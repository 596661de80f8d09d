module github.com/opsroom-go/opsroom/internal/benchmarks

go 1.26.0

replace github.com/opsroom-go/opsroom => ../..

require (
	github.com/moogar0880/problems v1.0.1
	github.com/opsroom-go/opsroom v0.0.0-00010101000000-000000000000
)
