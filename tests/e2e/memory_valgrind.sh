#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: valgrind
# where: native
# timeout: 1200
#
# No leak under valgrind, in programs of each kind; DTX_VALGRIND names others (all: '*'; a run takes 10 seconds and more).
# Valgrind does not know what bpf(2) writes, so values are not followed.
. "$(dirname "$0")/lib.sh"

plain 'sanitizers have an allocator of their own'
mkdir "$tmp/bin"
ln -s "$(realpath "$(dirname "$DTX")/tests")" "$tmp/bin/tests"
cat >"$tmp/bin/dtx" <<-END
	#!/bin/sh
	exec valgrind -q --leak-check=full --undef-value-errors=no --error-exitcode=99 "$(realpath "$DTX")" "\$@"
END
chmod +x "$tmp/bin/dtx"
read -ra tests <<<"${DTX_VALGRIND:-lang/lib_members.d lang/fold.typed e2e/agg_quantize_keyed.d e2e/spec_commit.d
	e2e/usdt_arguments.d e2e/life_cycle.sh e2e/act_copyout.sh e2e/loss_stacks.sh e2e/destructive_refused.sh}"
DTX_SLOW=20 DTX=$tmp/bin/dtx DTX_KERNELS='' tests/run "${tests[@]}" >"$tmp/out" 2>&1 && exit
sed -n '/^What failed/,$p' "$tmp/out" >&2
fail "not clean under valgrind"
