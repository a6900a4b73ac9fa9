#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf uprobes xargs
# where: native
# timeout: 300
# beside: it compiles for hundreds of pairs of a program and a machine
#
# Programs of the tests and examples compile for each machine that is described, this one and the guests, or are refused with a
# reason; for this machine with a description they are what they are without. All of them: tests/corpus.
# truth: programs of all tests, for a described machine | an image with -x machine=FILE, or why there is none | the image or the refusal without a description
. "$(dirname "$0")/../lib.sh"
plain 'it compiles a thousand times'
tests/corpus --every 40 >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/out" "$tmp/err")"
grep -q '^here ' "$tmp/out" || fail "no table: $(cat "$tmp/out" "$tmp/err")"
