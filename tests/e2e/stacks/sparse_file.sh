#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root perf gcc setpriv python3
# where: native
# timeout: 60
#
# A user's program whose file says that a section has 900 MB, which are a hole, or that it has millions of sections: it takes no memory
# of dtx worth the name, and what was not read is told.
#
# attack: a program with a sparse section of 900 MB (.symtab, .strtab, .eh_frame) | memory below 200 MB, and a message
# attack: the same | the rest of the file is read: stacks are whole, and named where names are left
# attack: a program with 4 million section headers | memory below 200 MB
. "$(dirname "$0")/../lib.sh"
plain 'it takes memory of its own'

echo 'volatile long x; __attribute__((noinline)) void leaf(long n) { while (n--) x += n; } int main(void) { for (;;) leaf(100000); }' |
	gcc -O2 -x c -o "$tmp/spin" - || fail 'cannot compile'
cat >"$tmp/grow.py" <<'END'
import os, struct, sys
path, want, size = sys.argv[1], sys.argv[2].encode(), 900 << 20
d = bytearray(open(path, 'rb').read())
shoff, = struct.unpack_from('<Q', d, 40)
each, n, names = struct.unpack_from('<HHH', d, 58)
text, = struct.unpack_from('<Q', d, shoff + names * each + 24)
end = (len(d) + 4095) & ~4095
if want == b'many':
    size, n = 4000000 * each, 0
    struct.pack_into('<Q', d, 40, end)
    struct.pack_into('<H', d, 60, 0)
    d += b'\0' * (end - len(d)) + struct.pack('<IIQQQQIIQQ', 0, 0, 0, 0, 0, 4000000, names, 0, 0, 0)
    d += b'\1' * (size // 2)
for i in range(n):
    at = shoff + i * each
    name, = struct.unpack_from('<I', d, at)
    if d[text + name:].split(b'\0')[0] == want:
        struct.pack_into('<QQ', d, at + 24, end, size)
open(path, 'wb').write(d)
os.truncate(path, end + size)
END
for what in .symtab .strtab .eh_frame many; do
	cp "$tmp/spin" "$tmp/big" && python3 "$tmp/grow.py" "$tmp/big" $what && chmod 755 "$tmp" "$tmp/big" || fail "cannot make $what"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/big" &
	pid=$!
	python3 - "$DTX" -qn 'profile-97hz /pid == $1/ { @[ustack()] = count(); } tick-1s { exit(0); }' $pid >"$tmp/out" 2>"$tmp/err" 3>"$tmp/used" <<'END'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
os.write(3, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
sys.exit(status)
END
	status=$?
	kill $pid && wait $pid 2>/dev/null
	[ $status = 0 ] && [ -s "$tmp/out" ] || fail "$what: status $status: $(cat "$tmp/err")"
	[ "$(cat "$tmp/used")" -lt 200000 ] || fail "$what: dtx took $(cat "$tmp/used") kB"
	grep -q 'names in stacks are missing: .* was not read' "$tmp/err" || fail "$what: nothing is told: $(cat "$tmp/out" "$tmp/err")"
	case $what in
	.symtab | .strtab) want='^ *big[+]0x[0-9a-f]+$' ;;
	.eh_frame) want='big`leaf[+]' ;;                # found by the header for exception handling
	*) continue ;;
	esac
	grep -qE "section [$what]+ \(900 MB\) of the file .*/big is" "$tmp/err" || fail "$what: $(cat "$tmp/err")"
	if grep -F incomplete "$tmp/out" | grep -vF 'was being made' || ! grep -qE "$want" "$tmp/out" ||
		! grep -qF '`__libc_start_main' "$tmp/out"
	then fail "$what: $(cat "$tmp/out" "$tmp/err")"; fi
done
