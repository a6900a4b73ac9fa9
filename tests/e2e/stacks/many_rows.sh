#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3
# where: native
# timeout: 60
#
# Rows come in the order of their counts, and here each has frames in another program than the row before it. The symbols of all
# programs together are more than may be in memory: the names of all frames are found one program after the other, so each is read once
# or twice, and not for each row.
#
# truth: 480 rows of stacks in twelve programs whose symbols need 110 MB | their names and counts, and how often symbols are read | the programs
. "$(dirname "$0")/../lib.sh"
plain 'it takes memory of its own'

n=12
{
	cat <<'END'
#include <stdlib.h>
#include <sys/syscall.h>
__asm__(".macro more\n.type f\\@, %function\nf\\@: ret\n.size f\\@, 1\n.endm\n.rept 99000\nmore\n.endr\n");
#ifdef __x86_64__
#define CALL(r) __asm__ volatile("syscall" : "=a"(r) : "0"((long)SYS_getppid) : "rcx", "r11", "memory")
#else
#define CALL(r) __asm__ volatile("mov x8, %1\n\tsvc #0\n\tmov %0, x0" : "=r"(r) : "i"(SYS_getppid) : "x0", "x8", "memory")
#endif
#define PLACE(name) __attribute__((noipa)) static long name(void) { long r; CALL(r); return r; }
END
	for i in $(seq 10 49); do echo "PLACE(at00_$i)"; done
	echo 'static long (*const all[])(void) = {'
	for i in $(seq 10 49); do echo "	at00_$i,"; done
	echo '}; int main(int argc, char **argv) { int p = atoi(argv[1]), n = atoi(argv[2]); long s = 0;'
	echo 'for (int i = 0; i < 40; i++) for (int k = 0; k <= i * n + p; k++) s += all[i](); return s == 1; }'
} >"$tmp/p.c"
gcc -O1 -no-pie -Wl,--build-id=0x1111111111111111111111111111111111111100 "$tmp/p.c" -o "$tmp/p00" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
cat >"$tmp/copies.py" <<'END'
import os, sys
folder, n = sys.argv[1], int(sys.argv[2])
d = open(folder + '/p00', 'rb').read()
name, build = b'\0at00_', b'\x11' * 19 + b'\0'
assert d.count(name) == 40 and d.count(build) == 1
for i in range(1, n):
    path = '%s/p%02d' % (folder, i)
    open(path, 'wb').write(d.replace(name, b'\0at%02d_' % i).replace(build, b'\x11' * 19 + bytes([i])))
    os.chmod(path, 0o755)
END
python3 "$tmp/copies.py" "$tmp" $n || fail 'cannot make the copies'
printf '#!/bin/bash\nfor i in $(seq 0 %u); do "%s/p$(printf %%02d $i)" $i %u; done\n' $((n - 1)) "$tmp" $n >"$tmp/all"
chmod 755 "$tmp/all"

dtx -qv -n 'syscall::getppid:entry /progenyof($target) && execname != "all"/ { @[ustack(1)] = count(); }' -c "$tmp/all"
python3 - "$tmp/out" $n <<'END' || fail "names or counts are wrong: $(head -n 40 "$tmp/out")"
import re, sys
n, got, place = int(sys.argv[2]), {}, None
for line in open(sys.argv[1]):
    line = line.strip()
    if not place and not re.match(r'p\d\d`', line):
        continue            # what -v says
    if line.isdigit():      # a stack that has a mark is a row of its own
        key = int(place[1]), int(place[3]) - 10
        got[key] = got.get(key, 0) + int(line)
    elif line and line[0] != '[':
        place = re.fullmatch(r'p(\d\d)`at(\d\d)_(\d\d)\+0x[0-9a-f]+', line)
        assert place and place[1] == place[2], line
want = {(r % n, r // n): r + 1 for r in range(40 * n)}
assert got == want, [(k, got.get(k), want[k]) for k in want if got.get(k) != want[k]][:3]
END
grep -q 'symbols of all files together need more than' "$tmp/err" || fail "they do not need more: $(cat "$tmp/err")"
again=$(sed -n 's/.*symbols of programs and libraries: .*read again \([0-9]*\) times.*/\1/p' "$tmp/err")
[ "${again:-999}" -le $((2 * n)) ] || fail "files were read again ${again:-?} times for $((40 * n)) rows: $(cat "$tmp/err")"
