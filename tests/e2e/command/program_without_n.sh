#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A program where a script is expected (bpftrace -e 'prog'): the command that runs it.
. "$(dirname "$0")/../lib.sh"

"$DTX" -e 'BEGIN { exit(0); }' 2>"$tmp/err" && fail "taken"
grep -qF "a program is given with -n: dtx -n 'BEGIN { exit(0); }'" "$tmp/err" || fail "$(cat "$tmp/err")"
