#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.w opt.destructive
#
# Destructive actions are refused without -w, allowed with it and by the option.
. "$(dirname "$0")/../lib.sh"

for action in 'system("true")' 'raise(1)' 'copyout(0, 0, 1)' 'freopen("/dev/null")' 'stop()'; do
	if "$DTX" -q -e -n "BEGIN /0/ { $action; exit(0); }" >"$tmp/out" 2>"$tmp/err" && "$DTX" -q -n "BEGIN { exit(0); } BEGIN /0/ { $action; }" >"$tmp/out" 2>"$tmp/err"; then
		fail "$action is not refused"
	fi
done
dtx -q -w -n 'BEGIN { system("echo allowed"); exit(0); }'
same allowed "$(sed '/^$/d' "$tmp/out")" "-w does not allow it"
dtx -q -n '
#pragma D option destructive
BEGIN { system("echo allowed"); exit(0); }'
same allowed "$(sed '/^$/d' "$tmp/out")" "the option does not allow it"

# Only what would be enabled: -e checks it, -l lists its probes, and the option may stand behind the action.
dtx -q -e -n 'BEGIN { system("true"); }'
dtx -l -n 'BEGIN { system("true"); }'
grep -q BEGIN "$tmp/out" || fail "a destructive program is not listed"
dtx -q -n 'BEGIN { system("echo allowed"); exit(0); }
#pragma D option destructive'
same allowed "$(sed '/^$/d' "$tmp/out")" "the option behind the action"
for program in 'BEGIN { exit(0); } BEGIN /0/ { system("true"); }' 'nothing::: { raise(1); } BEGIN { exit(0); }'; do
	"$DTX" -q -Z -n "$program" >"$tmp/out" 2>"$tmp/err" && fail "not refused: $program"
	grep -q 'is destructive, which is not allowed' "$tmp/err" || fail "why is it refused: $(cat "$tmp/err")"
done
