#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc python3
# where: native
# timeout: 60
#
# A program whose notes about its USDT probes are not what a compiler makes: names of all bytes, places that are no code, argument
# texts that are nonsense, and a million of them.
# attack: providers, probes and argument texts of all 255 bytes, with wildcards and colons | one line each in -l, no control byte; the good probe beside them fires
# attack: probes and semaphores at places that are no code or no memory | left out or not attached, with a message; the good one fires
# attack: argument texts that are no places, and one of 400 kB | a message with place and reason
# attack: a million notes of one file | a sentence, and memory below 200 MB
. "$(dirname "$0")/../lib.sh"

pid=
trap '[ -z "$pid" ] || kill $pid 2>/dev/null; rm -rf "$tmp"' EXIT
gcc -O0 -x c -o "$tmp/plain" - <<'END' || fail 'cannot compile'
#include <unistd.h>
__attribute__((noinline)) void here(int n) { getpgid(n); }
int main(void) { for (;; usleep(5000)) here(7777); }
END
python3 - "$tmp" "$(nm "$tmp/plain" | awk '$3 == "here" { print "0x" $1 }')" <<'END' || fail 'cannot make the programs'
import os, struct, sys
folder, here = sys.argv[1], int(sys.argv[2], 16)
plain = open(folder + '/plain', 'rb').read()
shoff, n, names = struct.unpack_from('<Q', plain, 40)[0], *struct.unpack_from('<HH', plain, 60)
heads = [struct.unpack_from('<IIQQQQIIQQ', plain, shoff + 64 * i) for i in range(n)]
table = plain[heads[names][4]:heads[names][4] + heads[names][5]]
comment = next(i for i in range(n) if table[heads[i][0]:].startswith(b'.comment\0'))

def note(provider, name, args, addr=here, semaphore=0):
	text = struct.pack('<QQQ', addr, 0, semaphore) + provider + b'\0' + name + b'\0' + args + b'\0'
	return struct.pack('<III', 8, len(text), 3) + b'stapsdt\0' + text + bytes(-len(text) % 4)

def write(name, notes):                 # in place of the section .comment
	out = bytearray(plain)
	for i, (data, kind) in {comment: (notes, 7), names: (table + b'.note.stapsdt\0', 3)}.items():
		out += bytes(-len(out) % 64)
		struct.pack_into('<I', out, shoff + 64 * i + 4, kind)
		struct.pack_into('<QQ', out, shoff + 64 * i + 24, len(out), len(data))
		out += data
	struct.pack_into('<I', out, shoff + 64 * comment, len(table))
	open(folder + '/' + name, 'wb').write(out)
	os.chmod(folder + '/' + name, 0o755)

every, good = bytes(range(1, 256)), note(b'good', b'one', b'-4@%edi')
write('bytes', note(b'good' + every, every + b'\nFAKE', b'8@%rdi') + note(b'good*', b'a:b', b'8@%rdi') + note(b'good', b'', b'') +
	note(b'good', b'\n FAKE\x1b]0;x\x07', every) + good)
write('places', b''.join(note(b'good', b'bad%d' % i, b'8@%rdi', *at) for i, at in enumerate([
	(0, 0), (1, 1), (2**64 - 1, 0), (2**63, 2**63), (here, 2**64 - 1), (here, 1), (0x10000000, 0x20000000)])) + good)
write('args', b''.join(note(b'good', b'bad%d' % i, a) for i, a in enumerate([
	b'-4@' * 130000, b'8@' + b'(' * 1000, b'99999999999999999999@%rdi', b'8@99999999999999999999(%rdi,%rsi,99999999999)', b'@@@', b'8@foo', b'8@%'])) + good)
write('many', note(b'good', b'one', b'8@%rdi') * 1000000)
END
# run PROGRAM: until it is that one, and no copy of this shell
run() { "$tmp/$1" & pid=$!; awaits test "/proc/$pid/exe" -ef "$tmp/$1"; }
stop() { kill $pid; wait $pid 2>/dev/null; pid=; }
for what in bytes places args; do
	run $what
	dtx -ln 'good*$target:::' -p $pid
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$tmp/out" || fail "$what: a control byte: $(cat -v "$tmp/out")"
	! grep -qvE '^ *(ID +PROVIDER|[0-9]+ +good)' "$tmp/out" || fail "$what: a false line: $(cat -v "$tmp/out")"
	dtx -q -n 'good$target:::one { @[arg0] = count(); n++; } tick-20ms /n > 3/ { exit(0); }' -p $pid
	[ "$(value 7777)" -gt 3 ] || fail "$what: the good probe: $(cat "$tmp/out" "$tmp/err")"
	[ $what = args ] || dtx -q -n 'good*$target:::*a*, good*$target:::one { n++; } tick-20ms /n > 3/ { exit(0); }' -p $pid
	stop
done
run args
for i in 0 1 2 3 4 5 6; do
	timeout 20 "$DTX" -qn "good\$target:::bad$i { trace(arg0); }" -p $pid >"$tmp/out" 2>"$tmp/err" && fail "bad$i has an argument"
	grep -qE "^-n:1:[0-9]+: error: .*(arg0|argument)" "$tmp/err" || fail "bad$i: $(head -c 2000 "$tmp/err")"
	[ "$(wc -c <"$tmp/err")" -lt 4000 ] || fail "bad$i: a message of $(wc -c <"$tmp/err") bytes"
done
stop
[ -z "${DTX_SLOW:-}" ] || exit 0
run many
used=$(python3 - "$DTX" -ln 'good$target:::' -p $pid 2>"$tmp/err" <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
)
stop
grep -q 'many has more USDT probes than dtx reads' "$tmp/err" || fail "nothing is told: $(cat "$tmp/err")"
[ "$used" -lt 200000 ] || fail "it takes $used kB"
exit 0
