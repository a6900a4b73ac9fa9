#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# aggpack: a print has the scale of all before it, so that rows of successive seconds compare.
# needs: root
. "$(dirname "$0")/../lib.sh"

# The first print and its trunc() may be read late: values are added until the last one.
dtx -q -x aggpack -n '
	BEGIN { @q["k"] = quantize(100); }
	tick-50ms { n++; }
	tick-50ms /n == 1/ { printa(@q); trunc(@q); }
	tick-50ms /n > 2/ { @q["k"] = quantize(1); }
	tick-50ms /n == 20/ { printa(@q); exit(0); }'
mapfile -t shown < <(grep '^ *k ' "$tmp/out")
[ ${#shown[@]} = 2 ] || fail "not two rows: $(cat "$tmp/out")"
for row in "${shown[@]}"; do [[ $row == *': 128 '* ]] || fail "not the scale up to 128: $row"; done
