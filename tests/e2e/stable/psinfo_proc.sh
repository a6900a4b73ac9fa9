#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
#
# psinfo_t and lwpsinfo_t of a process with four threads, users and groups of its own, as /proc has them.
# truth: proc:::signal-send, a signal that waits already | how often it is sent | the program's own calls
# truth: psinfo_t, pr_pid | process | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_ppid | parent | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_pgid | process group | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_sid | session | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_uid | real user | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_euid | effective user | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_gid | real group | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_egid | effective group | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_nlwp | number of threads | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_fname | name | /proc/PID/stat, status, cmdline
# truth: psinfo_t, pr_psargs | arguments | /proc/PID/stat, status, cmdline
# truth: lwpsinfo_t, pr_lwpid | thread | /proc/PID/task/TID/stat, comm
# truth: lwpsinfo_t, pr_pri | priority, 100 above the number of the file | /proc/PID/task/TID/stat, comm
# truth: lwpsinfo_t, pr_name | name of the thread | /proc/PID/task/TID/stat, comm
# truth: lwpsinfo_t, pr_sname | state as a letter | /proc/PID/task/TID/stat, comm
# truth: lwpsinfo_t, pr_onpro | CPU | /proc/PID/task/TID/stat, comm
# truth: lwpsinfo_t, pr_state, pr_sname, pr_flag | threads that run, sleep, are stopped | /proc/PID/stat
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/self.py" <<'PY'
import os, threading
os.setpgid(0, 0)
os.nice(3)
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.setresgid(1001, 1002, 1002); os.setresuid(65533, 65534, 65534)
go = threading.Event()
for i in range(3): threading.Thread(target=go.wait).start()
t = "/proc/self/task/%d/" % threading.get_native_id()
stat = open(t + "stat").read().rsplit(")", 1)[1].split()
status = dict(l.split(":", 1) for l in open("/proc/self/status"))
uid, gid = status["Uid"].split(), status["Gid"].split()
comm = open(t + "comm").read().strip()
args = open("/proc/self/cmdline").read().rstrip("\0").replace("\0", " ")[:79]
print("want", os.getpid(), stat[1], stat[2], stat[3], uid[0], uid[1], gid[0], gid[1], stat[17], comm,
    threading.get_native_id(), int(stat[15]) + 100, comm, stat[0], stat[36], args, flush=True)
try: os.getpgid(1900000077)
except OSError: pass
go.set()
PY
dtx -qn 'syscall::getpgid:entry /arg0 == 1900000077/ {
	printf("told %d %d %d %d %d %d %d %d %d %s ", curpsinfo->pr_pid, curpsinfo->pr_ppid, curpsinfo->pr_pgid, curpsinfo->pr_sid,
	    curpsinfo->pr_uid, curpsinfo->pr_euid, curpsinfo->pr_gid, curpsinfo->pr_egid, curpsinfo->pr_nlwp, curpsinfo->pr_fname);
	printf("%d %d %s %c %d %s\n", curlwpsinfo->pr_lwpid, curlwpsinfo->pr_pri, curlwpsinfo->pr_name, curlwpsinfo->pr_sname,
	    curlwpsinfo->pr_onpro, curpsinfo->pr_psargs); }' -c "python3 $tmp/self.py one two"
same "$(sed -n 's/^want //p' "$tmp/out")" "$(sed -n 's/^told //p' "$tmp/out")" 'not what /proc says'
grep -q ^want "$tmp/out" || fail "the program failed: $(cat "$tmp/err")"

# Others than the one that runs: whom a signal is sent to that does not wake them, as they block it.
cat >"$tmp/others.py" <<'PY'
import os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
def child(what):
    pid = os.fork()
    if pid == 0:
        what()
        os._exit(0)
    return pid
def spin():
    while True: pass
def letter(pid): return open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0]
for want, what in ("S", lambda: time.sleep(100)), ("T", lambda: os.kill(os.getpid(), signal.SIGSTOP)), ("R", spin):
    pid = child(what)
    while letter(pid) != want or (want == "S" and open("/proc/%d/wchan" % pid).read().find("nanosleep") < 0): time.sleep(0.01)
    print("want %d %s %d %d" % (pid, want, {"S": 1, "R": 2, "T": 4}[want], want == "T"), flush=True)
    os.kill(pid, signal.SIGUSR1)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
PY
dtx -qn 'proc:::signal-send /pid == $target && args[2] == SIGUSR1/ {
	printf("told %d %c %d %d\n", args[1]->pr_pid, args[0]->pr_sname, args[0]->pr_state, args[0]->pr_flag); }' -c "python3 $tmp/others.py"
same "$(sed -n 's/^want //p' "$tmp/out")" "$(sed -n 's/^told //p' "$tmp/out")" 'not the states'
[ "$(grep -c ^want "$tmp/out")" = 3 ] || fail "the program failed: $(cat "$tmp/err")"

# A process that blocks a signal sees one of five; all five were sent.
dtx -qn 'proc:::signal-send /pid == $target && args[2] == SIGUSR2/ { @[args[1]->pr_pid == $target] = count(); } END { printa("sent %d %@d\n", @); }' \
	-c "python3 -c 'import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
for i in range(5): os.kill(os.getpid(), signal.SIGUSR2)'"
grep -qx 'sent 1 5' "$tmp/out" || fail "a signal that waits already: $(cat "$tmp/out" "$tmp/err")"
