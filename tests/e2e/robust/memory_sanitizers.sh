#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: make gcc
# where: native
# beside: it compiles and starts programs for a minute or more
# timeout: 600
#
# The unit tests, and programs that are only compiled, under the address sanitizer and the one for undefined behaviour,
# leaks included. output/all.sh runs programs under them, fuzzers.sh has those that are refused. All tests:
# make SAN=1 check.
. "$(dirname "$0")/../lib.sh"

plain 'this is that build'
[ -f Makefile ] || skip "the sources are not here"
unset MAKEFLAGS MAKELEVEL MFLAGS                  # those of the make that runs the tests
nice make -s SAN=1 testable >"$tmp/out" 2>&1 || fail "$(tail -n 20 "$tmp/out")"
export DTX=build/san/dtx DTX_KERNELS=''
tests/run unit/test_builtins 'lang/[^e]*' 'lang/e[^r]*' >"$tmp/first" 2>&1 &           # half of the time
tests/run 'unit/test_[^b]*' 'unit/test_b[^u]*' >"$tmp/second" 2>&1 && wait $! && exit
wait
sed -n '/^What failed/,$p' "$tmp/first" "$tmp/second" >&2
fail "not clean under the sanitizers"
