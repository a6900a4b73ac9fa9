#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3
# where: native
# timeout: 120
#
# While dtx reads a large file of one process for names in a stack, the events of another process are not lost, and a signal is
# answered. A file with too many symbols is not read, which is told.
# attack: a program with 1.8 million symbols is in a stack, while another floods dtx with events | no event is lost
# attack: SIGTERM while these symbols are read | they are left, the run ends
# attack: SIGTERM while the library of debugging information goes through a million units | it is left, which is told
# attack: a program with 3 million symbols | no names, a message, memory below 300 MB
. "$(dirname "$0")/../lib.sh"
plain 'with a sanitizer reading takes a minute'

pids=()
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$tmp"' EXIT
gcc -O0 -fno-omit-frame-pointer -x c -o "$tmp/small" - <<'END' || fail 'cannot compile'
#include <unistd.h>
__attribute__((noinline)) void here(void) { getpgid(7777); }
int main(void) { for (;; usleep(50000)) here(); }
END
gcc -O1 -x c -o "$tmp/flood" - <<'END' || fail 'cannot compile'
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { for (;; usleep(1000)) for (int i = 0; i < 60; i++) syscall(SYS_getpgid, 1); }
END
# larger FILE N: the program with N functions more in its symbol table.
larger() {
	python3 - "$tmp/small" "$1" "$2" <<-'END'
	import struct, sys
	b, n = bytearray(open(sys.argv[1], 'rb').read()), int(sys.argv[3])
	shoff, shnum = struct.unpack_from('<Q', b, 40)[0], struct.unpack_from('<H', b, 60)[0]
	heads = [struct.unpack_from('<IIQQQQIIQQ', b, shoff + 64 * i) for i in range(shnum)]
	syms = next(i for i in range(shnum) if heads[i][1] == 2)
	names = heads[syms][6]
	text = next(i for i in range(shnum) if heads[i][2] & 4)
	first = heads[names][5]
	new = {syms: b''.join(struct.pack('<IBBHQQ', first + 10 * i, 2, 0, text, 0x10000000 + 16 * (i * 7919 % n), 16) for i in range(n)),
		names: b''.join(b'f%08d\0' % i for i in range(n))}
	b.extend(bytes(-len(b) % 64))
	at = len(b)
	rows = [(s, bytes(b[heads[s][4]:heads[s][4] + heads[s][5]]) + more) for s, more in new.items()]
	sizes = [len(data) for s, data in rows]
	struct.pack_into('<QQ', b, shoff + 64 * rows[0][0] + 24, at, sizes[0])
	struct.pack_into('<QQ', b, shoff + 64 * rows[1][0] + 24, at + sizes[0], sizes[1])
	open(sys.argv[2], 'wb').write(bytes(b) + rows[0][1] + rows[1][1])
	END
	chmod 755 "$1"
}

larger "$tmp/large" 1800000
"$tmp/large" &
pids+=($!)
"$tmp/flood" &
pids+=($!)
both='syscall::getpgid:entry /pid == $2/ { printf("%d\n", arg0); } syscall::getpgid:entry /pid == $1/ { ustack(); }'
dtx -q -x bufsize=256k -n "$both"' syscall::getpgid:entry /pid == $1 && n++ == 20/ { exit(0); }' "${pids[@]}"
grep -q 'large`here+' "$tmp/out" || fail "the name is not there: $(grep -v '^1$' "$tmp/out")"
grep 'drop' "$tmp/err" && fail 'events were lost while symbols were read'

"$DTX" -qn "$both" "${pids[@]}" >"$tmp/out" 2>"$tmp/err" &
dtx=$!
for ((i = 0; i < 2000; i++)); do
	[[ $(readlink /proc/$dtx/fd/* 2>/dev/null) != *$tmp/large* ]] || break
	sleep 0.01
done
kill -TERM $dtx
timeout 30 tail --pid=$dtx -f /dev/null || { kill -9 $dtx; fail 'SIGTERM is not answered'; }
wait $dtx || fail "status $?: $(cat "$tmp/err")"
kill "${pids[@]}"

# Units of an assembler's, each 40 bytes: some ten seconds of work in libdw.
gcc -O0 -fno-omit-frame-pointer -x c -c -o "$tmp/small.o" - <<'END' || fail 'cannot compile'
#include <unistd.h>
__attribute__((noinline)) void here(void) { getpgid(7777); }
int main(void) { for (;; usleep(50000)) here(); }
END
printf '.globl other\nother: ret\n.section .note.GNU-stack,"",@progbits\n' | gcc -g -x assembler -c -o "$tmp/unit.o" - &&
	gcc -o "$tmp/one" "$tmp/small.o" "$tmp/unit.o" || fail 'cannot compile'
python3 - "$tmp/one" "$tmp/units" <<'END'
import struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
shoff, n, names = struct.unpack_from('<Q', b, 40)[0], *struct.unpack_from('<HH', b, 60)
heads = [struct.unpack_from('<IIQQQQIIQQ', b, shoff + 64 * i) for i in range(n)]
i = next(i for i in range(n) if b[heads[names][4] + heads[i][0]:].startswith(b'.debug_info\0'))
unit = bytes(b[heads[i][4]:heads[i][4] + heads[i][5]])
struct.pack_into('<QQ', b, shoff + 64 * i + 24, len(b), len(unit) * 1000000)
open(sys.argv[2], 'wb').write(bytes(b) + unit * 1000000)
END
chmod 755 "$tmp/units"
"$tmp/units" &
pids=($!)
python3 - "$DTX" $! 2>"$tmp/err" <<'END' || fail "$(cat "$tmp/err")"
import os, resource, signal, subprocess, sys, time
dtx = subprocess.Popen([sys.argv[1], '-x', 'stacklines', '-qn', 'syscall::getpgid:entry /pid == $1/ { ustack(); }', sys.argv[2]])
used = lambda: sum(map(int, open('/proc/%d/stat' % dtx.pid).read().split()[13:15])) / os.sysconf('SC_CLK_TCK')
while '/units' not in open('/proc/%d/maps' % dtx.pid).read():
	time.sleep(0.01)
before = used()
while used() < before + 0.3:            # it reads
	time.sleep(0.01)
before = used()
dtx.send_signal(signal.SIGTERM)
dtx.wait(60)
all = resource.getrusage(resource.RUSAGE_CHILDREN)
after = all.ru_utime + all.ru_stime - before
sys.exit('it went on for %.1f s of the processor' % after if after > 1.5 else dtx.returncode)
END
grep -q 'names in stacks are missing: the run was to end while .*/units was read' "$tmp/err" || fail "no message: $(cat "$tmp/err")"
kill "${pids[@]}"

larger "$tmp/huge" 3000000
"$tmp/huge" &
pids=($!)
most=$(python3 - "$DTX" "${pids[0]}" 2>"$tmp/err" <<-'END'
	import resource, subprocess, sys
	out = subprocess.run([sys.argv[1], '-qn', 'syscall::getpgid:entry /pid == $1/ { ustack(); exit(0); }', sys.argv[2]], stdout=subprocess.PIPE)
	print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
)
grep -q 'names in stacks are missing: a file with 3000[0-9]* symbols' "$tmp/err" || fail "no message: $(cat "$tmp/err")"
[ "$most" -lt 307200 ] || fail "it takes $most kB"
exit 0
