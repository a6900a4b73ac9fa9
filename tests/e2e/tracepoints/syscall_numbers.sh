#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none cc
#
# The numbers of system calls that dtx knows are those of the kernel's headers, for programs of 64 and of 32 bits.
. "$(dirname "$0")/../lib.sh"

check() { # TABLE HEADER
	local n
	printf '#include <%s>\n' "$2" | cc -E -dM - 2>/dev/null | sed -nE 's/^#define __NR_([a-z0-9_]+) ([0-9]+)$/\1 \2/p' | sort >"$tmp/header"
	[ -s "$tmp/header" ] || skip "no <$2> here"
	sed -nE 's/^SYSCALL\(([0-9]+), *([a-z0-9_]+)\).*/\2 \1/p' "$1" | sort >"$tmp/table"
	n=$(join "$tmp/header" "$tmp/table" | awk '$2 != $3 { print "wrong:", $0 > "/dev/stderr" } { n++ } END { print n + 0 }')
	[ "$n" -ge 300 ] || fail "$1: $n system calls in common"
	join "$tmp/header" "$tmp/table" | awk '$2 != $3 { exit 1 }' || fail "$1: other numbers than in <$2>"
	# New calls have one number for both, and are in the table of 64 bits alone.
	join -v 1 "$tmp/header" "$tmp/table" | grep -vxFf "$tmp/both" && fail "$1 lacks these, which <$2> has"
	[ "$(cut -d' ' -f2 "$tmp/table" | sort | uniq -d)" = '' ] || fail "$1: a number twice"
}
echo none >"$tmp/both"
check base/arch/x86_64/syscalls.def asm/unistd_64.h
cp "$tmp/table" "$tmp/both"
check base/arch/x86_64/compat.def asm/unistd_32.h
