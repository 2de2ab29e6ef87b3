#!/bin/sh
# Puts a patch of the product beside what is in force; the next start switches to it. Where the product runs,
# `logeye-sdk … -api addPatch -type api -files <patch archive>` does the same.
#   ./applyPatch.sh <patch archive>
# Settings are those of the product: LOGEYE_DATA_DIR, LOGEYE_PATCH_PUBLIC_KEY.
set -eu
if [ $# -ne 1 ]; then
  echo "usage: applyPatch.sh <patch archive>" >&2
  exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
exec node "${LOGEYE_HOME:-$here/../../..}/dist/main.js" apply-patch "$1"
