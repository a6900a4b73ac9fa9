#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/opensnoop.d: the opens of a known program; those that fail; those for writing.
. "$(dirname "$0")/tool.bash"

own syscalls known
own bash shell
echo ': <in; : >written; : <absent' >"$tmp/opens"
load <<'END'
echo text >in
./known 2
./shell ./opens 2>/dev/null
:
END
tool opensnoop -n known
heading 'TIME UID PID PROGRAM FD ERR PATH'
same '50 0 known 1 0 /dev/null' "$(rows '$7 == "/dev/null" { print $2, $4, ($5 > 0), $6, $7 }' | sort | uniq -c | sed 's/^ *//')" 'not the opens'
tool opensnoop -n shell -f
same '-1 2 absent' "$(rows '$7 !~ /^\// && NR > 1 { print $5, $6, $7 }')" 'not the open that fails'
tool opensnoop -n shell -w
same '3 0 written' "$(rows '$7 !~ /^\// && NR > 1 { print $5, $6, $7 }')" 'not the open for writing'
tool opensnoop -n shell -u 4321
same 1 "$(wc -l <"$tmp/out")" 'opens of another user'
# dtx opens files of its own, at the beginning and each second: they are not shown.
for name in opensnoop opens failedopens; do
	"$DTX" $name --duration 1200ms >"$tmp/out" 2>"$tmp/err" &
	tracer=$!
	wait $tracer || fail "$name: $(cat "$tmp/err")"
	! grep -qE "(^| )$tracer dtx |dtx\[$tracer\]" "$tmp/out" || fail "$name shows dtx: $(grep -m 3 "$tracer" "$tmp/out")"
done
