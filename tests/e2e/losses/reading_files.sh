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
# attack: SIGTERM while the library of debugging information goes through a million units, for stacks that are printed or counted | it is left, which is told
# attack: a million symbols, of a program or of what may be Python, whose names are the same 64 MB | not read, and a message; SIGTERM is answered
# attack: a library with 65,000 segments and 300,000 symbols | its symbols are read in less than 2 s of the processor
# attack: a table of functions of Go whose names are the same 16 MB | memory below 256 MB, SIGTERM is answered
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
reading() { [[ $(readlink /proc/$dtx/fd/* 2>/dev/null) = *$tmp/large* ]]; }
until_true 20 reading
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
printed='syscall::getpgid:entry /pid == $1/ { ustack(); }'
counted='syscall::getpgid:entry /pid == $1/ { @[ustack()] = count(); n++; } tick-100ms /n > 2/ { printf("counted\n"); }'
for program in "$printed" "$counted"; do
	python3 - "$DTX" $! "$program" 2>"$tmp/err" <<'END' || fail "$(cat "$tmp/err")"
import os, resource, signal, subprocess, sys, time
dtx = subprocess.Popen([sys.argv[1], '-x', 'stacklines', '-qn', sys.argv[3], sys.argv[2]], stdout=subprocess.PIPE)
used = lambda: sum(map(int, open('/proc/%d/stat' % dtx.pid).read().split()[13:15])) / os.sysconf('SC_CLK_TCK')
if 'counted' in sys.argv[3]:
	dtx.stdout.readline()           # names are read at the end
else:
	while '/units' not in open('/proc/%d/maps' % dtx.pid).read():
		time.sleep(0.01)
	before = used()
	while used() < before + 0.3:    # it reads
		time.sleep(0.01)
before = used()
dtx.send_signal(signal.SIGTERM)
dtx.communicate(timeout=60)
all = resource.getrusage(resource.RUSAGE_CHILDREN)
after = all.ru_utime + all.ru_stime - before
sys.exit('it went on for %.1f s of the processor' % after if after > 1.5 else dtx.returncode)
END
	grep -q 'names in stacks are missing: the run was to end while .*/units was read' "$tmp/err" || fail "no message: $(cat "$tmp/err")"
done
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
kill "${pids[@]}"

# The same bytes in all names.
python3 - "$tmp/small" "$tmp" <<'END'
import struct, sys
b = open(sys.argv[1], 'rb').read()
shoff, n, names = struct.unpack_from('<Q', b, 40)[0], *struct.unpack_from('<HH', b, 60)
heads = [struct.unpack_from('<IIQQQQIIQQ', b, shoff + 64 * i) for i in range(n)]
text = lambda h: b[h[4]:h[4] + h[5]]
of_type = lambda t: next(i for i in range(n) if heads[i][1] == t)
code = next(i for i in range(n) if heads[i][2] & 4)
LETTERS = b'A' * (64 << 20)
def write(name, sections):              # index -> bytes, number of type
	out = bytearray(b)
	for i, (data, kind) in sections.items():
		out += bytes(-len(out) % 64)
		struct.pack_into('<I', out, shoff + 64 * i + 4, kind)
		struct.pack_into('<QQ', out, shoff + 64 * i + 24, len(out), len(data))
		out += data
	open(sys.argv[2] + '/' + name, 'wb').write(out)
	return out
for name, kind in ('same', 2), ('samepy', 11):
	i = of_type(kind)
	strings = text(heads[heads[i][6]]) if kind == 2 else b''
	symbols = text(heads[i]) if kind == 2 else b''
	symbols += b''.join(struct.pack('<IBBHQQ', len(strings) + k % 9, 0x12, 0, code, 0x10000000 + 16 * k, 16) for k in range(1000000))
	write(name, {i: (symbols, kind), heads[i][6]: (strings + LETTERS + b'\0', 3)})
# .gopclntab in place of .comment; no symbols
comment = next(i for i in range(n) if text(heads[names])[heads[i][0]:].startswith(b'.comment\0'))
functions, letters = 300000, LETTERS[:16 << 20] + b'\0'
table = struct.pack('<IBBBBQQQQQQQQ', 0xfffffff1, 0, 0, 1, 8, functions, 0, 0x1000, 72, 72, 72, 72, 72 + len(letters))
table += letters + b''.join(struct.pack('<II', 16 * k, 8 * (functions + 1)) for k in range(functions + 1)) + bytes(100)
out = write('samego', {comment: (table, 1), names: (text(heads[names]) + b'.gopclntab\0', 3)})
struct.pack_into('<I', out, shoff + 64 * comment, heads[names][5])
struct.pack_into('<I', out, shoff + 64 * of_type(2) + 4, 0)
open(sys.argv[2] + '/samego', 'wb').write(out)
END
for what in same samepy samego; do
	chmod 755 "$tmp/$what"
	"$tmp/$what" &
	pids=($!)
	stack=ustack
	[ $what != samepy ] || stack=pystack
	python3 - "$DTX" $! $stack 2>"$tmp/err" <<'END' || fail "$what: $(cat "$tmp/err")"
import os, resource, signal, subprocess, sys, time
program = 'syscall::getpgid:entry /pid == $1/ { @[%s()] = count(); n++; } tick-100ms /n > 2/ { printf("counted\\n"); }' % sys.argv[3]
dtx = subprocess.Popen([sys.argv[1], '-qn', program, sys.argv[2]], stdout=subprocess.PIPE)
dtx.stdout.readline()
dtx.send_signal(signal.SIGTERM)
try:
	dtx.communicate(timeout=60)
except subprocess.TimeoutExpired:
	dtx.kill()
	sys.exit('SIGTERM is not answered')
all = resource.getrusage(resource.RUSAGE_CHILDREN)
if all.ru_utime + all.ru_stime > 2 or all.ru_maxrss > 256 << 10:
	sys.exit('%.1f s of the processor, %d kB' % (all.ru_utime + all.ru_stime, all.ru_maxrss))
sys.exit(dtx.returncode)
END
	kill "${pids[@]}"
	[ $what != same ] || grep -q 'names in stacks are missing: a file with symbols whose names are the same bytes' "$tmp/err" || fail "no message: $(cat "$tmp/err")"
done

larger "$tmp/segments" 300000
python3 - "$tmp/segments" "$DTX" <<'END' || fail 'a file with 65,000 segments'
import resource, struct, subprocess, sys
b = bytearray(open(sys.argv[1], 'rb').read())
at, n = struct.unpack_from('<Q', b, 32)[0], struct.unpack_from('<H', b, 56)[0]
first = bytes(b[at:at + 56 * n])
b += bytes(-len(b) % 64)
struct.pack_into('<Q', b, 32, len(b))
struct.pack_into('<H', b, 56, 65000)
b += struct.pack('<IIQQQQQQ', 1, 4, 0, 0x7000000000000000, 0, 16, 16, 4096) * (65000 - n) + first
open(sys.argv[1], 'wb').write(b)
subprocess.run([sys.argv[2], '-ln', 'uprobe:' + sys.argv[1] + ':nosuch:entry'], stdout=subprocess.DEVNULL, timeout=60)
all = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.exit('%.1f s of the processor' % (all.ru_utime + all.ru_stime) if all.ru_utime + all.ru_stime > 2 else 0)
END
exit 0
