#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
#
# Each script of examples/ can be executed, says what it is and how it is used, and has its output and its test.
. "$(dirname "$0")/../lib.sh"

n=0
for script in examples/*.d; do
	name=$(basename "$script" .d) n=$((n + 1))
	[ -x "$script" ] || fail "$script is not executable"
	[[ $(sed -n 1p "$script") =~ ^'#!/usr/bin/dtx -'[qF]s$ ]] || fail "$script: no interpreter"
	[ "$(sed -n 2p "$script")" = '/* SPDX-License-Identifier: BSD-2-Clause */' ] || fail "$script: no licence"
	for part in " * $name.d - .*[?]$" " * USAGE: $name.d" " \* EXAMPLES?$" " \*    $name.d "; do
		grep -qE -- "^${part/#' * '/ [*] }" "$script" || fail "$script: no line '$part'"
	done
	head -n 1 "examples/$name.txt" | grep -q "^# $name.d" || fail "$script: no output in examples/$name.txt"
	[ -x "tests/e2e/examples/$name.sh" ] || fail "$script: no test"
done
[ $n -ge 81 ] || fail "$n scripts, not 81"
