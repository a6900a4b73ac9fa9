#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Forks and execs: who made how many processes, which programs they executed with which arguments, which exec failed.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	proc:::create /progenyof($target)/ { @made[execname] = count(); }
	proc:::exec /progenyof($target)/ { self->parent = execname; }
	proc:::exec-success /self->parent != NULL/ {
		printf("%s -> %s: %s\n", self->parent, execname, curpsinfo->pr_psargs);
		@execs[self->parent, execname] = count();
		self->parent = 0;
	}
	proc:::exec-failure /self->parent != NULL/ {
		@failed[self->parent, args[0]] = count();
		self->parent = 0;
	}
	sysinfo:::sysfork, sysinfo:::sysvfork /progenyof($target) && execname == "forks"/ { forks += arg0; }
	END {
		printa("made by %s: %@d\n", @made);
		printa("execs %s %s %@d\n", @execs);
		printa("failed %s %d %@d\n", @failed);
		printf("forks %d\n", forks);
	}
END
printf "no program" >"$tmp/broken"
cat >"$tmp/load" <<-END
	$t/forks 30
	for i in 1 2 3; do $t/sleeper 1 \$i; done
	/bin/echo one two  three >/dev/null
	$tmp/broken 2>/dev/null
	exit 0
END
dtx -s "$tmp/script.d" -c "bash $tmp/load"
same "bash -> echo: /bin/echo one two three
bash -> forks: $t/forks 30
bash -> sleeper: $t/sleeper 1 1
bash -> sleeper: $t/sleeper 1 2
bash -> sleeper: $t/sleeper 1 3" "$(grep '^bash -> ' "$tmp/out" | sort)" "the programs executed"
same 'execs bash echo 1
execs bash forks 1
execs bash sleeper 3
failed bash 13 1
forks 30
made by bash: 6
made by forks: 30' "$(grep -E '^(execs bash|failed|made by|forks) ' "$tmp/out" | sort)" "the numbers"
