#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes btf
#
# The same program gives the same image, byte for byte, wherever the compiler's memory lies. ERROR clauses are
# in each program.
. "$(dirname "$0")/../lib.sh"

program='BEGIN { x[execname] = *(int *)8; } syscall::kill:entry { @[ustack()] = sum(*(int *)arg0); }
         ERROR { for (i = 0; i < 3; i++) { y += arg4; } } ERROR { exit(0); }'
for n in 1 2 3 4; do "$DTX" --image "$tmp/$n" -n "$program" || fail 'no image'; done
for n in 2 3 4; do cmp "$tmp/1" "$tmp/$n" || fail "image $n differs from the first"; done
