#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# where: both
#
# Bytes asked of malloc by user stack, with symbols: all those of the known program are under its own function.
. "$(dirname "$0")/../lib.sh"

dtx -n 'uprobe:libc:malloc { @[ustack(5)] = sum(arg0); }' -c "$t/mallocs 100:50 3000:7"
# A row is a stack, one frame a line, and the sum on the line that follows.
awk -v total=$((100 * 50 + 3000 * 7)) '
	NF == 1 && $1 !~ /^-?[0-9]+$/ { stack = stack " " $1; next }
	NF == 1 {
		if (stack ~ /libc[^ ]*`(__libc_)?malloc/ && stack ~ /mallocs`outer/ && stack ~ /mallocs`main/) sum += $1
		stack = ""
	}
	END { if (sum != total) { print sum + 0, "bytes, not", total; exit 1 } }' "$tmp/out" >&2 ||
	{ cat "$tmp/out" >&2; fail "the sum of malloc under outer() and main() is wrong"; }
