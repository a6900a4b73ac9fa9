#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf python3 script
# module: known
#
# A module's name, its functions and its events have escapes, spaces, colons and new lines: whatever dtx prints of them on a terminal
# acts on nothing, and its events are counted.
# attack: a kernel module whose name, functions and events have such names, in -l, -lv, stacks, keys, JSON, CSV, --live, images, messages | escaped everywhere; such functions are refused, events are counted
. "$(dirname "$0")/../lib.sh"
known
python3 - "$known" "$tmp/odd.ko" <<'END' || fail 'the module is not made'
import struct, sys
d = bytearray(open(sys.argv[1], 'rb').read())
table, = struct.unpack_from('<Q', d, 40)
count, names = struct.unpack_from('<HH', d, 60)
sections = [struct.unpack_from('<IIQQQQIIQQ', d, table + 64 * i) for i in range(count)]
at = lambda s: bytes(d[sections[names][4] + s[0]:]).split(b'\0')[0].decode()
odd = {b'known_twice': b'e F`\x1b]0;x\x07z', b'known_wide': b'w\n  FAKE f', b'known_call': b'c\xe2\x80\xae:<b>de'}
for s in sections:
    low, high = s[4], s[4] + s[5]
    if at(s) == '.gnu.linkonce.this_module':
        low += bytes(d[low:high]).index(b'dtx_known')
        name = b'm F`:\x1b]0;x\x07\xe2\x80\xae<b>" \x9bz'
        d[low:low + len(name)] = name
    elif at(s) == '.strtab' or at(s).startswith(('.rodata', '__tracepoint')):
        body = bytes(d[low:high])
        for old, new in odd.items():
            assert len(old) == len(new), old
            body = body.replace(old, new)
        d[low:high] = body
open(sys.argv[2], 'wb').write(d)
END
name=$'m F`:\e]0;x\a\u202e<b>" \x9bz'
trap 'rmmod "$name" 2>/dev/null; rm -rf "$tmp"' EXIT
insmod "$tmp/odd.ko" || fail 'the kernel does not take it'
cat >"$tmp/call" <<-'END'
	#!/bin/sh
	echo parts 3 >/proc/dtx_known
END
chmod +x "$tmp/call"

# A pattern is compared with the name's own bytes. Such a function cannot be attached: it is refused.
odd='fbt::*F`*:entry'
screen list -ln "$odd"
grep -q 'e F`.x1b\]0;x.x07z *entry' "$tmp/screen" || fail "-l: $(cat "$tmp/screen")"
screen details -lvn "$odd"
screen 'module list' -ln 'fbt:m*F`*::entry'
screen 'event list' -lvn 'tracepoint:dtx_known::'
screen refused -qn "$odd { @ = count(); }" -c "$tmp/call"
grep -q 'no probe could be attached' "$tmp/screen" || fail "it is attached: $(cat "$tmp/screen")"
grep -q 'takes no name with such characters' "$tmp/screen" || fail "not the reason: $(cat "$tmp/screen")"
screen later -Zqn "$odd { @ = count(); }" -c "$tmp/call"
grep -q 'takes no name with such characters' "$tmp/screen" || fail "-Z: not the reason: $(cat "$tmp/screen")"
screen mixed -qn 'fbt:m*F`*::entry { @[probefunc == "known_write"] = count(); }' -c "$tmp/call"
grep -q 'takes no name with such characters' "$tmp/screen" || fail "a pattern: not the reason: $(cat "$tmp/screen")"
grep -qE '^ +1 +[1-9]' "$tmp/screen" || fail "a pattern: the others do not fire: $(cat "$tmp/screen")"
screen message -n "$odd"' { trace(args.none); }'

event='tracepoint:dtx_known::known_odd'
screen values -qn "$event"' { @n[probename, probemod] = count(); @s[stack()] = count(); stack(); @f[sym((uintptr_t)caller), mod((uintptr_t)caller)] = count();
	printf("%a\n", (uintptr_t)caller); } END { printa("%s %s %@d\n", @n); }' -c "$tmp/call"
grep -qE '^known_odd dtx_known 3' "$tmp/screen" || fail "the events are not counted: $(cat "$tmp/screen")"
grep -q 'm F.*x1b.*`known_write' "$tmp/screen" || fail "the stack has no name of the module: $(cat "$tmp/screen")"
for format in json csv; do screen $format -q --format $format -n "$event"' { @[probefunc, stack()] = count(); trace(mod((uintptr_t)caller)); }' -c "$tmp/call"; done
(screen live --live -qn "$event"' { @[mod((uintptr_t)caller), stack()] = count(); trace(probename); }' -c "$tmp/call") >/dev/null 2>&1 # it uses escapes itself
grep -aq 'x1b' "$tmp/typescript" || fail '--live shows no name'
if grep -aqF $'\e]0;x' "$tmp/typescript" || LC_ALL=C grep -aqP '[^\xc2-\xf4\x80-\xbf]\x9b|\x07' "$tmp/typescript"; then fail "--live: $(cat -v "$tmp/typescript")"; fi
dtx --image "$tmp/image" -qn "$event"' { @[probemod, stack()] = count(); }'
screen image -q -r "$tmp/image" -c "$tmp/call"
screen doctor --doctor
