#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# timeout: 60
#
# truth: tools, langstat | collections, errors and threads of Python, PHP and Java | programs with known numbers
# examples/langstat.d: programs of known deeds, with Debian's interpreters.
. "$(dirname "$0")/tool.bash"
. "$(dirname "$0")/languages.bash"

# statistics OF COMMAND: the columns of its process.
statistics() {
	run=$2 tool langstat 50s
	rows '$2 == "'"$1"'" { print $5, $7, $8; exit }'
}
# The interpreter collects itself, too, as often in each run.
none=$(statistics python "$python -I -S $tmp/known.py 0") five=$(statistics python "$python -I -S $tmp/known.py 5")
same $((${none% 0 0} + 5)) "${five% 0 0}" 'Python: not its collections'
[ -z "$php" ] || same '0 6 0' "$(statistics php "$php $tmp/known.php")" 'PHP: not its errors'
[ -n "$java" ] || exit 0
statistics java "$java -cp $tmp Known" | awk '{ exit !($1 >= 3 && $3 >= 4) }' || fail "Java: $(cat "$tmp/out")"
