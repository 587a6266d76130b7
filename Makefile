# What a developer runs. `make check` is what CI runs.
.PHONY: check build test bench notice

check:
	.ci/run

# A static binary that needs nothing on the machine it runs on.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$$(git describe --always --dirty)" -o sheaf ./cmd/sheaf

test:
	go test ./...

# Ratios within one run count; absolute times depend on the machine. BenchmarkCold in cmd/sheaf is the whole program.
bench:
	go test -run '^$$' -bench . -benchtime 1x ./...

# The licenses of what the binary links.
notice:
	go run ./cmd/internal/notice > NOTICE
