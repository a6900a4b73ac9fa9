#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# All tests with plain output once more, with --format json: valid, with the values of the text; and replayed: the same text.
# They run under the address sanitizer and the one for undefined behaviour, leaks included: robust/memory_sanitizers.sh
# has what else is run there.
# needs: root python3
# where: native
# beside: it compiles and starts programs for a minute or more
# timeout: 1200
. "$(dirname "$0")/../lib.sh"
plain 'it runs 560 tests once more'
if [ -f Makefile ]; then
	unset MAKEFLAGS MAKELEVEL MFLAGS              # those of the make that runs the tests
	nice make -s SAN=1 testable >"$tmp/out" 2>&1 || fail "$(tail -n 20 "$tmp/out")"
	export DTX=build/san/dtx REPLAYER=$PWD/build/dtx      # what replays is fuzzed
fi
tests/output/run
