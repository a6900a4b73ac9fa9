#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
# on: oldest
# truth: fileinfo_t, fi_name, fi_dirname, fi_pathname | an open file of the process | the path that the program opened
# truth: fileinfo_t, fi_offset | where the next write begins | pos of /proc/self/fdinfo
# truth: fileinfo_t, fi_oflags | how it was opened | the program's own flags
# truth: fileinfo_t, fi_fs | the type of the file system | /proc/self/mountinfo
# truth: psinfo_t, pr_ttydev | whether there is a terminal | tty_nr of /proc/self/stat
# truth: psinfo_t, pr_dmodel | a program of 64 bits | the program
# truth: tcpsinfo_t, tcps_rnxt | the byte that is waited for, at each segment | the acknowledgement in the segment
# truth: tcpsinfo_t, tcps_snxt, tcps_suna | where all is acknowledged | the number of the segment with FIN
# truth: tcpsinfo_t, tcps_rtt, tcps_rtt_sd | the round trip and its deviation, in ms | TCP_INFO of the program's own socket
# truth: tcpsinfo_t, tcps_cwnd_ssthresh, tcps_rwnd | threshold of the window, and what is offered | TCP_INFO of the program's own socket
# truth: tcpsinfo_t, tcps_retransmit | no segment of a connection without loss | RetransSegs of /proc/net/snmp
#
# Members of files, processes and connections, as the program itself and /proc have them.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/self.py" <<'PY'
import os, pty, socket, struct, sys, time
def mark(n):
    try: os.getpgid(2000000000 + n)
    except OSError: pass
path = sys.argv[1] + "/one.file"
fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o600)
os.ftruncate(fd, 5000)
os.lseek(fd, 1234, 0)
pos = open("/proc/self/fdinfo/%d" % fd).read().split()[1]
mounts = [l.split() for l in open("/proc/self/mountinfo")]
at, fs = max((len(f[4]), f[f.index("-") + 1]) for f in mounts if path.startswith(f[4].rstrip("/") + "/"))
print("want file", os.path.basename(path), os.path.dirname(path), path, pos, os.O_RDWR | os.O_APPEND | os.O_NONBLOCK, fs, flush=True)
os.write(fd, b"x" * 777)

pid = os.fork()
if pid == 0:
    os.setsid()
    mark(1)
    os._exit(0)
os.waitpid(pid, 0)
pid, master = pty.fork()
if pid == 0:
    mark(2)
    os._exit(0)
os.waitpid(pid, 0)

def retransmitted():
    f = [l.split() for l in open("/proc/net/snmp") if l.startswith("Tcp:")]
    return int(f[1][f[0].index("RetransSegs")])
lost = retransmitted()
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1)
c = socket.create_connection(s.getsockname()); p, _ = s.accept()
p.setsockopt(socket.IPPROTO_TCP, 12, 0)        # TCP_QUICKACK: acknowledgements wait
for i in range(30): c.send(b"y" * 300); p.recv(300); time.sleep(0.002)
c.send(b"z" * 300); time.sleep(0.3)            # all of it is acknowledged
i = c.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 240)
word = lambda at: struct.unpack_from("I", i, at)[0]
mss = word(16)
print("want tcp", c.getsockname()[1], word(68) // 1000, word(72) // 1000, word(76) if word(76) >= 0x7fffffff else word(76) * mss, flush=True)
print("window", word(232) if len(i) >= 236 else "-", flush=True)
c.close(); p.close()
print("lost", retransmitted() - lost)
PY
cat >"$tmp/members.d" <<'END'
#pragma D option quiet
syscall::write:entry /pid == $target && arg2 == 777/ {
	printf("told file %s %s %s %d %d %s\n", fds[arg0].fi_name, fds[arg0].fi_dirname, fds[arg0].fi_pathname, fds[arg0].fi_offset,
	    fds[arg0].fi_oflags & (O_ACCMODE | O_APPEND | O_NONBLOCK), fds[arg0].fi_fs);
}
syscall::getpgid:entry /arg0 == 2000000001 || arg0 == 2000000002/ {
	printf("told process %d %d %d\n", arg0 - 2000000000, (uintptr_t)curpsinfo->pr_ttydev != (uintptr_t)-1, curpsinfo->pr_dmodel);
}
tcp:::send /pid == $target && args[3]->tcps_snxt != 0 && args[4]->tcp_flags & TH_ACK/ { n++; bad += args[3]->tcps_rnxt != args[4]->tcp_ack; }
tcp:::send /pid == $target/ { again += args[3]->tcps_retransmit != 0; }
tcp:::send /pid == $target && args[4]->tcp_flags & TH_FIN && args[3]->tcps_snxt != 0 && !fin++/ {
	printf("told tcp %d %d %d %d\n", args[3]->tcps_lport, args[3]->tcps_rtt, args[3]->tcps_rtt_sd, args[3]->tcps_cwnd_ssthresh);
	printf("rwnd %d\n", args[3]->tcps_rwnd);
	printf("fin %d %d\n", args[3]->tcps_snxt - args[4]->tcp_seq, args[3]->tcps_suna - args[4]->tcp_seq);
}
END { printf("segments %d %d %d\n", n >= 30, bad, again); }
END
dtx -s "$tmp/members.d" -c "python3 $tmp/self.py $tmp"
# The root of a guest's programs is a folder of the kernel's.
if [ -n "${DTX_GUEST:-}" ]; then sed -i '/^told file/s, /root/, /,g' "$tmp/out"; fi
same "$(sed -n 's/^want //p' "$tmp/out" | sort)" "$(sed -n 's/^told \(file\|tcp\)/\1/p' "$tmp/out" | sort)" "files and connections: $(cat "$tmp/out" "$tmp/err")"
same 'told process 1 0 2
told process 2 1 2' "$(grep 'told process' "$tmp/out" | sort)" 'terminal and model'
same 'fin 0 0' "$(grep ^fin "$tmp/out")" 'numbers at the end'
same "segments 1 0 $(sed -n 's/^lost //p' "$tmp/out")" "$(grep ^segments "$tmp/out")" 'numbers of segments'
window=$(sed -n 's/^window //p' "$tmp/out")
case $window in - | 0) ;; *) same "rwnd $window" "$(grep ^rwnd "$tmp/out")" 'what is offered' ;; esac
