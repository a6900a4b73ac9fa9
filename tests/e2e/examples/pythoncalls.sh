#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/pythoncalls.d: functions of a known program, with Debian's interpreter.
. "$(dirname "$0")/tool.bash"

python=$(readlink -f /usr/bin/python3)
matches "usdt:$python:*:function__entry" || matches "usdt:$python::function-entry" || grep -q function__entry "$python" 2>/dev/null || skip 'no Python with probes here'
printf '%s\n' 'def inner():' '    pass' 'def outer():' '    for i in range(7):' '        inner()' 'outer()' 'outer()' >"$tmp/program.py"
run="$python $tmp/program.py" tool pythoncalls -t 1000
heading 'FILE FUNCTION CALLS'
same 'program.py <module> 1
program.py inner 14
program.py outer 2' "$(rows '$1 == "program.py" { print $1, $2, $3 }' | sort)" 'not the calls'
