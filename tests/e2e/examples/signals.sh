#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/signals.d: signals a shell sends to itself and to a child, and one that is ignored (not by the process of
# -c: what is traced is told of every signal); then only those of a number.
. "$(dirname "$0")/tool.bash"

cat >"$tmp/ignore" <<-'END'
	trap '' USR2
	kill -USR2 $$
	exit 0
END
cat >"$tmp/script" <<-END
	trap : USR1
	kill -USR1 \$\$
	bash $tmp/ignore
	$t/sleeper 20000 &
	sleep 0.2
	kill -KILL \$!
	wait
	echo shell=\$\$ child=\$!
END
run="bash $tmp/script" tool signals
eval "$(grep '^shell=' "$tmp/out")"
row() { grep -qE "^$*\$" "$tmp/out" || { cat "$tmp/out" >&2; fail "missing: $*"; }; }
row "bash +${shell:?} +10 USR1 +bash +$shell sent"
row 'bash +([0-9]+) +12 USR2 +bash +\1 ignored'
row "bash +$shell +9 KILL +sleeper +${child:?} sent"
row "sleeper +$child +17 CHLD +bash +$shell (sent|pending)"

run="bash $tmp/script" tool signals 12
[ "$(awk '/ (sent|ignored|pending|lost)$/ && $3 != 12' "$tmp/out")" = '' ] || fail "other signals than 12"
grep -q ' USR2 ' "$tmp/out" || fail "signal 12 is not there"
