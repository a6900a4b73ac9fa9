#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Signals by sender, number and receiver, and what became of them: sent, ignored, handled.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	BEGIN {
		name[SIGUSR1] = "USR1";
		name[SIGUSR2] = "USR2";
		name[SIGTERM] = "TERM";
		name[SIGKILL] = "KILL";
	}
	proc:::signal-send /progenyof($target) && name[args[2]] != NULL/ {
		@sent[execname, pid, args[1]->pr_fname, args[1]->pr_pid, name[args[2]]] = count();
	}
	proc:::signal-discard /progenyof($target) && name[args[2]] != NULL/ {
		@lost[execname, args[1]->pr_pid, name[args[2]]] = count();
	}
	proc:::signal-handle /progenyof($target) && name[args[0]] != NULL && args[2] != NULL/ {
		@handled[execname, pid, name[args[0]]] = count();
	}
	proc:::exit /progenyof($target) && args[0] == CLD_KILLED/ { @killed[execname, pid] = count(); }
	END {
		printa("sent %s %d to %s %d %s %@d\n", @sent);
		printa("ignored %s %d %s %@d\n", @lost);
		printa("handled %s %d %s %@d\n", @handled);
		printa("killed %s %d %@d\n", @killed);
	}
END
cat >"$tmp/ignore" <<-'END'
	trap '' USR2
	for i in 1 2 3 4; do kill -USR2 $$; done
	echo ignore=$$
END
cat >"$tmp/handle" <<-'END'
	trap : USR1
	for i in 1 2 3 4 5 6 7; do kill -USR1 $$; done
	echo handle=$$
END
cat >"$tmp/load" <<-END
	bash $tmp/ignore
	bash $tmp/handle
	$t/sleeper 20000 & one=\$!
	$t/sleeper 20000 & two=\$!
	sleep 0.3
	kill -TERM \$one
	kill -KILL \$two
	wait
	echo one=\$one two=\$two shell=\$\$
END
dtx -s "$tmp/script.d" -c "bash $tmp/load"
eval "$(grep = "$tmp/out")"
same "$(sort <<<"handled bash ${handle:?} USR1 7
ignored bash ${ignore:?} USR2 4
killed sleeper ${one:?} 1
killed sleeper ${two:?} 1
sent bash $handle to bash $handle USR1 7
sent bash ${shell:?} to sleeper $one TERM 1
sent bash $shell to sleeper $two KILL 1")" "$(grep -E '^(sent|ignored|handled|killed) ' "$tmp/out" | sort)" "not the signals"
