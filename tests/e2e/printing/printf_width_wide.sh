#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Widths of thousands of columns, as written and as an argument that may be any number.
set -eu
got=$("$DTX" -qn 'BEGIN { printf("%70000d|%*d|%.*d\n", 1, $1, 1, $1, 1); exit(0); }' 2147483647 | awk -F'|' 'NR == 1 { print length($1), length($2), length($3) }')
[ "$got" = "70000 10000000 10000000" ] || { echo "$got"; exit 1; }
