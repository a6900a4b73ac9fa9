#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root valgrind
# where: native
# timeout: 300
#
# A program that names little of the kernel searches for it, each name once: a table of all the kernel's names is 120,000 to hash.
. "$(dirname "$0")/../lib.sh"
plain 'it runs under valgrind'
valgrind -q --tool=callgrind --callgrind-out-file="$tmp/calls" "$DTX" -x cache=off -eqs examples/offcputime.d >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
hashed=$(awk '
	/^c?fn=/ { id = $1; sub(/^c?fn=/, "", id); if (NF > 1) name[id] = $2; called = /^cfn/ ? name[id] : "" }
	/^calls=/ && called == "hash_bytes" { sub(/^calls=/, "", $1); n += $1 }
	END { print n + 0 }' "$tmp/calls")
[ "$hashed" -gt 100 ] || fail "only $hashed names were hashed: is the function inlined?"
[ "$hashed" -lt 50000 ] || fail "$hashed names were hashed"
