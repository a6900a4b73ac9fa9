#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: make gcc
# where: native
# timeout: 1200
#
# The tests that are a program and its output, and the unit tests, under the address sanitizer and the one for
# undefined behaviour, leaks included. All tests under them: make SAN=1 check.
. "$(dirname "$0")/../lib.sh"

plain 'this is that build'
[ -f Makefile ] || skip "the sources are not here"
unset MAKEFLAGS MAKELEVEL MFLAGS                  # those of the make that runs the tests
nice make -s SAN=1 testable >"$tmp/out" 2>&1 || fail "$(tail -n 20 "$tmp/out")"
export DTX=build/san/dtx DTX_KERNELS=''
tests/run unit/ lang/ >"$tmp/compiled" 2>&1 &          # both at once: the first only compile
tests/run 'e2e/*.d' >"$tmp/out" 2>&1 && wait $! && exit
wait
sed -n '/^What failed/,$p' "$tmp/compiled" "$tmp/out" >&2
fail "not clean under the sanitizers"
