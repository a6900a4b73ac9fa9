#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A fixed sample of programs costs the verifier no more than tests/verify.cost says (make verify-cost: all programs).
# needs: root btf
# where: native
. "$(dirname "$0")/../lib.sh"
plain 'the generated code is the same'
kernel=$(uname -r | grep -oE '^[0-9]+\.[0-9]+')
grep -q "^$kernel"$'\t' "$(dirname "$0")/../../verify.cost" || skip "tests/verify.cost has no rows of Linux $kernel"

cd "$(dirname "$0")/../../.." || exit 2
tests/verify-cost examples/{execsnoop,syscount,profile,offcputime,cpudist}.d tests/e2e/aggregations/agg_key_addresses.d >"$tmp/out" 2>&1 ||
	fail "$(cat "$tmp/out"): if that must be, tests/verify-cost --update PROGRAM"
[ "$(sed -n 's/ programs compared$//p' "$tmp/out")" -gt 2 ] || fail "$(cat "$tmp/out")"

# It tells what is dearer.
sed "s/^\($kernel\texamples\/execsnoop.d\t[0-9]*\t[0-9]*\t\)[0-9]*/\1100/" tests/verify.cost >"$tmp/cheap"
if VERIFY_ROWS=$tmp/cheap tests/verify-cost examples/execsnoop.d >"$tmp/out"; then fail "dearer, and not told"; fi
grep -q '^examples/execsnoop.d, Linux .*: steps [0-9]*, was 100 (+' "$tmp/out" || fail "$(cat "$tmp/out")"
exit 0
