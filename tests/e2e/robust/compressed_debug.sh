#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc python3
# where: native
# timeout: 60
#
# A debugging section of some megabytes that becomes gigabytes when it is decompressed is not read, and a message says so.
# attack: a program whose .debug_str of 2 MB is 2 GB of zeros | it is not decompressed, memory below 200 MB, and a message
. "$(dirname "$0")/../lib.sh"
plain 'measures memory'

gcc -g -O0 -fno-omit-frame-pointer -x c -o "$tmp/small" - <<'END' || fail 'cannot compile'
#include <unistd.h>
__attribute__((noinline)) int here(int n) { return getpgid(n); }
int main(void) { for (;; usleep(10000)) here(7777); }
END
python3 - "$tmp/small" "$tmp/bomb" <<'END' || fail 'python3'
import struct, sys, zlib
b = bytearray(open(sys.argv[1], 'rb').read())
shoff, (shnum, names) = struct.unpack_from('<Q', b, 40)[0], struct.unpack_from('<HH', b, 60)
heads = [struct.unpack_from('<IIQQQQIIQQ', b, shoff + 64 * i) for i in range(shnum)]
at = heads[names][4]
i = next(i for i in range(shnum) if b[at + heads[i][0]:].startswith(b'.debug_str\0'))
block, times = 16 << 20, 128
c = zlib.compressobj(9)
begin = c.compress(bytes(block)) + c.flush(zlib.Z_FULL_FLUSH)
more = c.compress(bytes(block)) + c.flush(zlib.Z_FULL_FLUSH)     # stands for itself: it is there many times
size = block * times
data = struct.pack('<IIQQ', 1, 0, size, 1) + begin + more * (times - 1) + b'\3\0' + struct.pack('>I', (size % 65521) << 16 | 1)
assert len(data) < 4 << 20
b += bytes(-len(b) % 8)
struct.pack_into('<Q', b, shoff + 64 * i + 8, heads[i][2] | 0x800)
struct.pack_into('<QQ', b, shoff + 64 * i + 24, len(b), len(data))
open(sys.argv[2], 'wb').write(b + data)
END
chmod 755 "$tmp/bomb"
# memory ARGUMENT…: the most that dtx takes, in kB.
memory() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[-1] + ".kb", "w"))' "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
	most=$(cat "$tmp/bomb.kb")
	[ "$most" -lt 204800 ] || fail "$*: $most kB"
}
memory -x stacklines -qn 'syscall::getpgid:entry /pid == $target/ { ustack(3); n++; } syscall::getpgid:entry /n > 3/ { exit(0); }' -c "$tmp/bomb"
grep -q 'bomb`here+' "$tmp/out" || fail "no names of functions: $(cat "$tmp/out" "$tmp/err")"
grep -q 'the debugging information of .*bomb is too large' "$tmp/err" || fail "no message: $(cat "$tmp/err")"
memory -qn 'pid$target:a.out:here:entry { trace(n); exit(0); }' -c "$tmp/bomb"
grep -q 'compressed sections have more than 1 GB' "$tmp/err" || fail "no reason: $(cat "$tmp/err" "$tmp/out")"
exit 0
