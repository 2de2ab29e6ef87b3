#!/bin/sh
# Builds toxiproxy, which disturbs connections, into the folder that is named, unless it is there; for tests and trials, not for production.
# Needs Go 1.17 or later, also with GOTOOLCHAIN=local. Usage: infra/scripts/get-toxiproxy.sh <folder>
set -eu
# The newest release that Go 1.19 of Debian 12 builds; later ones ask for 1.22.
version=2.5.0
folder="$1"
if [ -f "$folder/.complete-$version" ]; then exit 0; fi
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
# Nothing is left but the program, and no C compiler is needed.
export GOPATH="$work/go" GOCACHE="$work/cache" GOBIN="$work/bin" GOFLAGS='-modcacherw' CGO_ENABLED=0
go install "github.com/Shopify/toxiproxy/v2/cmd/server@v$version"
mv "$work/bin/server" "$folder/toxiproxy-server"
touch "$folder/.complete-$version"
