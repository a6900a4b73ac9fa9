#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# Thread-local variables in a probe that samples: where tasks have no storage of their own (before Linux 5.12) the
# variables are in a hash, and perf events may only use one that is allocated at once.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'profile-997 /pid == $target/ { self->n++; } profile-997 /self->n == 20/ { printf("twenty\n"); exit(0); }' \
	-c "$t/spin 4000"
grep -q twenty "$tmp/out" || fail "not counted by thread: $(cat "$tmp/out")"
