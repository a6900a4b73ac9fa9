#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.exit status.0 status.n status.1
#
# The exit status: of exit(n), of a program that is refused, of a target that fails (which is reported).
. "$(dirname "$0")/../lib.sh"

status() { "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"; echo $?; }
[ "$(status -n 'BEGIN { exit(7); }')" = 7 ] || fail "exit(7) does not give 7"
[ "$(status -n 'BEGIN { exit(0); }')" = 0 ] || fail "exit(0) does not give 0"
[ "$(status -n 'BEGIN { nothing_of_the_kind(); }')" = 1 ] || fail "a refused program does not give 1"
[ "$(status -e -n 'BEGIN { exit(7); }')" = 0 ] || fail "-e runs the program"
[ "$(status -n 'BEGIN { @ = count(); }' -c "$t/sleeper 1 1 5")" = 0 ] || fail "a failing target fails the run"
grep -q 5 "$tmp/err" || fail "the target's status 5 is not reported"
[ "$(status -l -V)" = 2 ] || fail "-l and -V together are accepted"
