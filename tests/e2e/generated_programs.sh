#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf uprobes
# timeout: 300
#
# Random valid programs (tests/gen/program) are compiled and pass the kernel's verifier. The same
# ones each time, as many as fit a minute; SEED and COUNT choose others.
. "$(dirname "$0")/lib.sh"

gen=$(dirname "$0")/../gen/program
first=${SEED:-1000} end=$((SECONDS + 60)) made=0
for ((seed = first; seed < first + ${COUNT:-200} && SECONDS < end; seed++)); do
	"$gen" -v seed=$seed >"$tmp/x.d" || fail "no program for seed $seed"
	"$DTX" -p $$ -e -s "$tmp/x.d" >"$tmp/out" 2>"$tmp/err" && made=$((made + 1)) && continue
	head -n 20 "$tmp/err" >&2
	fail "seed $seed: refused; tests/gen/program -v seed=$seed shows the program"
done
[ $made -ge 20 ] || fail "only $made programs in a minute"
