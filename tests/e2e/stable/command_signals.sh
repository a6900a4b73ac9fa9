#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# The command of -c is under ptrace only until its probes are active: signals that it ignores are discarded, no
# signal of it comes to dtx, and it ends with dtx all the same.  Addresses of its stacks have names after it has ended.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/command" <<-'END'
	#!/bin/bash
	trap '' USR2
	trap : USR1
	for i in 1 2 3; do kill -USR2 $$; kill -USR1 $$; done
	grep TracerPid: /proc/$$/status
	exit 0
END
chmod +x "$tmp/command"
dtx -qn 'proc:::signal-send /pid == $target && args[1]->pr_pid != $target/ { @["elsewhere", args[2]] = count(); }
	proc:::signal-discard /pid == $target/ { @["discard", args[2]] = count(); }
	proc:::signal-handle /pid == $target && args[0] != 17/ { @["handle", args[0]] = count(); }
	END { printa("%s %d %@d\n", @); }' -c "$tmp/command"
same $'discard 12 3\nelsewhere 17 1\nhandle 10 3' "$(grep -E '^(discard|handle|elsewhere)' "$tmp/out" | sort)" "not the signals of the command"
grep -q '^TracerPid:.0$' "$tmp/out" || fail "it is under ptrace: $(cat "$tmp/out")"

dtx -qn 'syscall::nanosleep:entry, syscall::clock_nanosleep:entry /pid == $target/ { @[ustack()] = count(); }' -c "$t/sleeper 1"
grep -q 'sleep+0x' "$tmp/out" || fail "no names in stacks: $(cat "$tmp/out")"

# dtx is killed: the command, too.
rm "$tmp/out"
"$DTX" -qn 'BEGIN { printf("%d\n", $target); }' -c 'sleep 1000' >"$tmp/out" 2>"$tmp/err" &
tracer=$!
awaits [ -s "$tmp/out" ]
target=$(head -1 "$tmp/out")
awaits grep -q '^TracerPid:.0$' "/proc/$target/status"
kill -KILL $tracer
wait $tracer 2>/dev/null
until_true 5 ended "$target" || { kill -KILL "$target"; fail "the command goes on without dtx"; }
