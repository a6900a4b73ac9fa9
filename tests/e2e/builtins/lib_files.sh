#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.L opt.libdir lang.19
# Files of -L: in the order of depends_on, skipped without their provider, errors told.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '#pragma D depends_on library b.d\ninline int A = B + 1;\n' >"$dir/a.d"
printf 'inline int B = 41;\n' >"$dir/b.d"
printf '#pragma D depends_on provider nosuch\ninline int A = 5;\n' >"$dir/c.d"
out=$("$DTX" -q -L "$dir" -n 'BEGIN { printf("%d %d", A, B); exit(0); }') || exit 1
[ "$out" = "42 41" ] || { echo "a.d before b.d: $out"; exit 1; }
printf 'inline int C = ;\n' >"$dir/d.d"
"$DTX" -q -L "$dir" -n 'BEGIN { exit(0); }' 2>&1 | grep -q 'd.d:1:' || { echo "no error of d.d"; exit 1; }
printf '#pragma D depends_on library a.d\ninline int B = 41;\n' >"$dir/b.d"
"$DTX" -q -L "$dir" -n 'BEGIN { exit(0); }' 2>&1 | grep -q 'D_PRAGMA_DEPEND' || { echo "no cycle"; exit 1; }
