#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Entry and return of all functions of a program: it still gets its arguments, so _start, which cannot return, has
# no return probe; the calls are those of the program, and each returns.
. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2016
dtx -qn 'pid$target:mallocs:*:entry, pid$target:mallocs:*:return { printf("%s %s\n", probefunc, probename); }' \
	-c "$t/mallocs 100:2"
same 'main entry
outer entry
inner entry
inner return
inner entry
inner return
outer return
main return' "$(grep -E '^(main|outer|inner) ' "$tmp/out")" "not the calls made"
! grep -q '^_start return' "$tmp/out" || fail "_start returns"
