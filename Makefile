# What a developer runs. `make check` is what CI runs.
.PHONY: check build package test bench notice vulncheck

check:
	.ci/run

# A static binary that needs nothing on the machine it runs on.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$$(deploy/version)" -o sheaf ./cmd/sheaf

# dist/sheaf_VERSION_ARCH.deb, the same as a tarball, and checksums.
package:
	deploy/package dist amd64 arm64

test:
	go test ./...

# Ratios within one run count; absolute times depend on the machine. BenchmarkCold in cmd/sheaf is the whole program.
bench:
	go test -run '^$$' -bench . -benchtime 1x ./...

# The licenses of what the binary links.
notice:
	go run ./cmd/internal/notice > NOTICE

# Known vulnerabilities in what the binary calls. Asks vuln.go.dev, so it is not part of check, which needs no network but for modules;
# GOVULNDB=file:///DIR names a copy of the database.
vulncheck:
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 $${GOVULNDB:+-db $$GOVULNDB} ./...
