#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: valgrind
# where: native
# beside: it compiles and starts programs for a minute or more
# timeout: 1200
#
# No leak under valgrind, in programs of each kind; others: make VALGRIND=1 check T=… (a run takes 10 seconds and more).
. "$(dirname "$0")/../lib.sh"

plain 'sanitizers have an allocator of their own'
read -ra tests <<<"${DTX_VALGRIND:-lang/lib_members.d lang/fold.typed e2e/aggregations/quantize_keyed.d e2e/speculation/commit_frees_id.d
	e2e/usdt/arguments.d e2e/command/life_cycle.sh e2e/command/act_copyout.sh e2e/losses/stacks.sh e2e/rights/destructive_refused.sh}"
VALGRIND=1 tests/run "${tests[@]}" >"$tmp/out" 2>&1 && exit
sed -n '/^What failed/,$p' "$tmp/out" >&2
fail "not clean under valgrind"
