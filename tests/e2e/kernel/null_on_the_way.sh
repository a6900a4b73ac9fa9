#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# needs: fentry
# timeout: 60
#
# A pointer that is NULL on the way to a member is a fault, wherever in the chain it is: kill() of a thread of the kernel,
# whose mm is NULL, and of a process, which has one. Of functions, only the last pointer of a chain is compared.
. "$(dirname "$0")/../lib.sh"

# chain EXPRESSION: it has a value for the process, and is a fault for the thread.
chain() {
	dtx -qn "fbt::security_task_kill:entry /pid == \$target/ { this->whose = args[0]->pid == 2 ? \"thread\" : \"process\"; @asked[this->whose] = count(); }
	fbt::security_task_kill:entry /pid == \$target/ { @has[this->whose] = count(); @ = sum($1); }
	END { printa(\"asked %s %@d\n\", @asked); printa(\"has %s %@d\n\", @has); printa(\"%@d\n\", @); }" \
		-c "bash -c 'kill -0 \$\$; kill -0 2'"
	same $'asked process 1\nasked thread 1\nhas process 1\nhas thread 1' "$(grep -E '^(asked|has)' "$tmp/out" | sort)" "kill(), asked of '$1'"
	grep -qx '[1-9][0-9]*' "$tmp/out" || fail "'$1' of a process: $(cat "$tmp/out")"
	same 1 "$(grep -c 'invalid address (0x0)' "$tmp/err")" "faults of '$1': $(cat "$tmp/err")"
}

chain 'args[0]->mm->arg_start'
chain 'args[0]->mm->owner->pid'
chain 'args[0]->mm->exe_file->f_path.dentry->d_sb->s_dev'
