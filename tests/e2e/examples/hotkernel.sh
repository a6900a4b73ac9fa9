#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf dd
#
# examples/hotkernel.d: a program that copies zeros in the kernel makes samples in functions of the kernel.
. "$(dirname "$0")/tool.bash"

load <<'END'
dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none
END
tool hotkernel -t 5
heading 'FUNCTION SAMPLES'
rows 'NR > 1 { if ($1 !~ /^[a-z0-9_]+`/ || $2 < 1) bad = 1; n += $2 } END { exit bad || n < 5 || NR > 6 }' || fail "$(cat "$tmp/out")"
tool hotkernel -m
heading 'MODULE SAMPLES'
rows '$1 == "vmlinux" { n = $2 } END { exit n < 5 }' || fail "$(cat "$tmp/out")"
