#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: native
#
# The code that runs when a program is compiled is side by side in the binary (tests/bench/order): a start has 23.5 MB resident,
# and had 33.5 when it was spread over all of LLVM.
. "$(dirname "$0")/../lib.sh"
plain 'a sanitizer needs more memory'
! ldd "$DTX" | grep -q libLLVM || skip 'LLVM is not in the binary'

read -r _ _ peak < <("$DTX_TRIGGERS/measure" 3 "$DTX" -x cache=off -qn 'BEGIN { exit(0); }')
[ "$peak" -le 27000 ] || fail "$peak KB resident, more than 27,000: see docs/decisions/62-side-by-side.md"

# dtx-run loads the C library alone: each other library is a quarter of a megabyte of every run.
run=$DTX-run
needs=$(readelf -d "$run" | sed -nE 's/.*NEEDED.*\[(.*)\]$/\1/p' | grep -vE '^(ld-linux|libc\.so)' | xargs)
same '' "$needs" 'libraries that dtx-run loads'
