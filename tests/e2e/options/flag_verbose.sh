#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.v lang.20
#
# -v with a program prints what it rests on, to the blank; -lv prints attributes and argument types of each probe.
. "$(dirname "$0")/../lib.sh"

labels() { printf '\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n' "$@"; }
"$DTX" -q -v -n 'BEGIN { exit(0); }' >"$tmp/out" 2>/dev/null || fail '-v fails'
{
	printf '\nStability attributes for description BEGIN:\n\n\tMinimum Probe Description Attributes\n'
	labels Stable Stable Common
	printf '\n\tMinimum Statement Attributes\n'
	labels Stable Stable Common
	echo
} >"$tmp/want"
head -n "$(wc -l <"$tmp/want")" "$tmp/out" | diff "$tmp/want" - || fail 'the stability report'
dtx -lv -n 'dtrace:::BEGIN'
{
	printf '%5s %10s %17s %33s %s\n' ID PROVIDER MODULE FUNCTION NAME
	printf '%5d %10s %17s %33s %s\n' 1 dtrace '' '' BEGIN
	printf '\n\tProbe Description Attributes\n'
	labels Stable Stable Common
	printf '\n\tArgument Attributes\n'
	labels Stable Stable Common
	printf '\n\tArgument Types\n\t\tNone\n\n'
} >"$tmp/want"
head -n "$(wc -l <"$tmp/want")" "$tmp/out" | diff "$tmp/want" - || fail 'the list'
dtx -lv -n syscall::read:entry
grep -qP '^\t\targs\[0\]: unsigned int fd$' "$tmp/out" || fail "arguments: $(cat "$tmp/out")"
