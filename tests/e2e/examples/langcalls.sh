#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# timeout: 60
#
# truth: tools, langcalls | calls of functions of Python, PHP and Java | programs with known numbers
# examples/langcalls.d: programs of known deeds, with Debian's interpreters.
. "$(dirname "$0")/tool.bash"
. "$(dirname "$0")/languages.bash"

# calls OF COMMAND: class or file, function, calls.
calls() {
	run=$2 tool langcalls -t 100000
	rows '$1 == "'"$1"'" && $3 ~ /^(inner|outer)$/ { print $2, $3, $4 }' | sort
}
same 'known.py inner 14
known.py outer 2' "$(calls python "$python -I -S $tmp/known.py 0")" 'Python: not the calls'
[ -z "$php" ] || same 'known.php inner 6' "$(USE_ZEND_DTRACE=1 calls php "$php $tmp/known.php")" 'PHP: not the calls'
[ -n "$java" ] || exit 0
same 'Known inner 9' "$(calls java "$java -XX:+ExtendedDTraceProbes -cp $tmp Known")" 'Java: not the calls'
