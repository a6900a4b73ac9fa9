#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root kprobes setcap setpriv
# timeout: 40
# on: oldest
# truth: rights of a user who starts a dtx with file capabilities | what counts with which, what is refused and what the message asks for | the table of rights in this page, by the kernel's release and perf_event_paranoid
#
# A user with nothing of their own, and a dtx with file capabilities: CAP_BPF, CAP_PERFMON and those to read are enough for all
# but functions of programs before Linux 6.6, and timers where the kernel is stricter than Linux; these say CAP_SYS_ADMIN.
. "$(dirname "$0")/../lib.sh"
plain 'a copy with other libraries'

rm -rf "$tmp"
tmp=$(TMPDIR=/tmp mktemp -d)             # where another user may look
chmod 755 "$tmp"
few=cap_bpf,cap_perfmon,cap_dac_read_search,cap_sys_ptrace,cap_syslog
# copy NAME CAPABILITIES: a dtx with them.
copy() { install -m 755 "$DTX" "$tmp/$1" && setcap "$2+ep" "$tmp/$1" || skip 'no file capabilities here'; }
copy few $few
copy admin $few,cap_sys_admin
copy none cap_syslog
work='bash -c "for i in 1 2 3 4 5; do kill -0 \$\$; (:); done; i=0; while ((i++ < 30000)); do :; done"'

# as NAME PROGRAM: a user runs it by the copy of that name; $status.
as() {
	setpriv --reuid=65534 --regid=65534 --clear-groups timeout 100 "$tmp/$1" -qn "$2" -c "$work" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
# works NAME PROGRAM KEY…: each key has counted something.
works() {
	as "$1" "$2"
	[ $status = 0 ] || fail "$1: $2: $(cat "$tmp/err")"
	counted "$@"
}
counted() {
	local key what="$1: $2"
	shift 2
	for key; do [ "$(value "$key")" -gt 0 ] || fail "$what: $key counts nothing: $(cat "$tmp/out" "$tmp/err")"; done
}
# asks NAME PROGRAM WORD: it ends with a message that has the word.
asks() {
	as "$1" "$2"
	asked "$@"
}
asked() {
	[ $status = 1 ] || [ $status = 2 ] && grep -q "$3" "$tmp/err" || fail "$1: $2: status $status, not a word of $3: $(cat "$tmp/out" "$tmp/err")"
}
# either PROGRAM KEY…: with few it works, or the kernel has no other way than events of perf, and is strict with these.
either() {
	as few "$1"
	if [ $status = 0 ]; then counted few "$@"; return; fi
	[ $strict = 1 ] || fail "few: $1: $(cat "$tmp/err")"
	asked few "$1" CAP_SYS_ADMIN
	works admin "$@"
}

ulimit -l unlimited                       # before Linux 5.11 BPF takes its memory from this; limit_memlock.sh has the message
strict=$(($(cat /proc/sys/kernel/perf_event_paranoid) > 2))
shown='{ @[probeprov, probename] = count(); } END { printa("%s:%s %@d\n", @); }'
works few "rawtp:sched::sched_process_fork, proc:::exit $shown" rawtp:sched_process_fork proc:exit
either "syscall::kill:entry, tracepoint:sched::sched_process_exit $shown" syscall:entry tracepoint:sched_process_exit
either "fbt::wake_up_new_task:entry, fbt::wake_up_new_task:return $shown" fbt:entry fbt:return
function='uprobe:bash:execute_command:entry { @["called"] = count(); }'
timer='profile-997 { @["sample"] = count(); }'
IFS=. read -r major minor _ < <(uname -r)
if [ "$major" -gt 6 ] || { [ "$major" = 6 ] && [ "${minor%%[!0-9]*}" -ge 6 ]; }; then works few "$function" called
else asks few "$function" CAP_SYS_ADMIN; fi
if [ $strict = 0 ]; then works few "$timer" sample
else asks few "$timer" CAP_SYS_ADMIN; fi
works admin "$function $timer" called sample
asks none "$function" CAP_BPF
