#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# One host of several lies: it is named and left out, or bounded; what the other one told is printed as it is.
# needs: root python3 zstd
# attack: a host sends clauses, rows and sizes that do not exist, another program, terminal escapes | it is named, the others are not harmed
. "$(dirname "$0")/../lib.sh"

for h in good bad; do
	dtx -q --record "$tmp/$h" -x refresh=50ms -n 'BEGIN { printf("from %d\n", $1); @a[$1] = sum(7); } tick-60ms { @b = count(); @w[$1] = lquantize(1, 0, 20000, 1); } tick-200ms { @c["x"] = count(); @c["y"] = count(); @p = count(); printa("shown %@d\n", @p); exit(0); }' 1
done

cat >"$tmp/lie.py" <<'END'
import struct, subprocess, sys
def number(n):
    out = b''
    while n >= 128: out += bytes([n & 127 | 128]); n >>= 7
    return out + bytes([n])
def take(p, at):
    n = shift = 0
    while True:
        c = p[at]; at += 1; n |= (c & 127) << shift; shift += 7
        if c < 128: return n, at
def zstd(*args, data): return subprocess.run(['zstd', '-q', '-c', *args], input=data, stdout=subprocess.PIPE, check=True).stdout
data, parts, at = open(sys.argv[1], 'rb').read(), [], 8
while at < len(data):
    n, _ = struct.unpack('<II', data[at:at + 8])
    text, i = zstd('-d', data=data[at + 8:at + 8 + n]), 0
    while i < len(text):
        kind = text[i:i + 1]
        size, i = take(text, i + 1)
        parts.append((kind, text[i:i + size])); i += size
    at += 8 + n
lie = sys.argv[2]
first = lambda kind: [k for k, _ in parts].index(kind)
if lie == 'clause': parts.insert(first(b'E'), (b'E', number(0) + number(9999) + b'\0' * 4))
if lie == 'probe': parts.insert(first(b'E'), (b'E', number(9999) + b'\0' * 5))
if lie == 'row': parts.insert(first(b'G'), (b'G', b'\0\1\0\2' + number(2 * 5)))
if lie == 'words': parts.insert(first(b'G'), (b'G', b'\1\1\0\2' + number(1) + number(1) + number(77) + b'\1'))
if lie == 'aggregation': parts.insert(first(b'G'), (b'G', number(50) + b'\1\0\2'))
if lie == 'letter': parts.insert(first(b'E'), (b'z', b'hello'))
if lie == 'after': parts.append((b'X', parts[-1][1]))
if lie == 'twice': parts = parts[:-1] + [p for p in parts if p[0] in b'AG'] + parts[-1:]
if lie == 'program': parts[0] = (b'M', parts[0][1].replace(b'"b","func":"count"', b'"b","func":"max"'))
if lie == 'manifest': parts[0] = (b'M', parts[0][1][:-9])
if lie == 'escape':
    text = b'\x1b]0;owned\x07\x1b[2J'
    parts.insert(first(b'E'), (b'T', b'\2\3\1' + number(len(text) + 1) + text + b'\0\0\0\0\1' + b'\0' * 9))
if lie.startswith('lost'): parts[2:2] = [(b'T', b'\7\1\0' + number(5) + b'lost' + b'\0\0\0\0\1\0\0\0' + number(int(lie[4:])) + b'\0' * 5)]
if lie == 'flood': parts[2:2] = [(b'T', b'\2\1\1' + number(9) + b'%08d' % i + b'\0\0\0\0\1' + b'\0' * 9) for i in range(5000)]
if lie == 'print':       # of another aggregation, which has no such keys
    at = [i for i, (k, p) in enumerate(parts) if k == b'E'][-1]
    i = 0
    for _ in range(5): _, i = take(parts[at][1], i)
    _, j = take(parts[at][1], i)
    _, end = take(parts[at][1], take(parts[at][1], j)[1])
    parts[at] = (b'E', parts[at][1][:i] + b'\1' + parts[at][1][j:end] + b'\1\0\0\0')
if lie == 'mixed':       # rows with numbers, then all rows without, then a number of before
    many = b''.join(number(2 * i + 1) + b'\1\0\5' for i in range(1000))
    parts[-1:-1] = [(b'G', b'\1\1\0\2' + many), (b'S', b'\1\1\0\0'), (b'G', b'\1\0\0\2' + number(2 * 999) + b'\1\0\5')]
    parts = [p for p in parts if p[0] != b'A']
if lie == 'wide':        # few bytes a row, which in a table is 160 KB
    part = next(p for k, p in parts if k == b'G' and p[0] == 2 and len(p) > 6)
    i = 0
    for _ in range(5): _, i = take(part, i)
    _, j = take(part, i)
    _, end = take(part, j)
    rows = b''.join(number(2 * n + 1) + part[i:j] + number(2 * n) + b'\1\2\1' for n in range(20000))
    parts[-1:-1] = [(b'G', b'\2\1\0\2' + rows)]
    parts = [p for p in parts if p[0] != b'A']
if lie == 'option': parts.insert(first(b'E'), (b'O', b'\7aggtop\2' + b'1'))
if lie == 'probes': parts[-1:-1] = [(b'P', number(70 + i) + (number(7) + b'late%02d' % i) * 4) for i in range(50)]
out = data[:8]
for lo in range(0, len(parts), 1000):
    text = b''.join(k + number(len(p)) + p for k, p in parts[lo:lo + 1000])
    packed = zstd('--stream-size=%d' % len(text), data=text)      # else the frame does not tell it
    out += struct.pack('<II', len(packed), len(text) if lie != 'size' else 0x7fffffff) + packed
open(sys.argv[3], 'wb').write(out)
END

# lie LIE [HOST]: the bad host's run, with this lie in it, is that of a host called liar, or HOST.
lie() { python3 "$tmp/lie.py" "$tmp/bad" "$1" "$tmp/${2:-liar}" || fail "$1: no lie"; }
# lies LIE TEXT: it is told with the host's name, and the good host's values are there.
lies() {
	lie "$1"
	timeout 20 "$DTX" --replay "$tmp/good" "$tmp/liar" >"$tmp/out" 2>"$tmp/err"
	[ $? -lt 124 ] || fail "$1: $(cat "$tmp/err")"
	grep -q "liar: .*$2" "$tmp/err" || fail "$1: not told '$2', but: $(cat "$tmp/err")"
	grep -qE "^(good|$(uname -n)): +from 1\$" "$tmp/out" || fail "$1: the good host's line: $(cat "$tmp/out")"
	grep -qE "^ +1 +${3:-7}\$" "$tmp/out" || fail "$1: the good host's value: $(cat "$tmp/out")"
}
lies clause 'what it sends is no run (no such clause'
lies probe 'what it sends is no run (no such probe'
lies row 'what it sends is no run (a row has no such number'
lies words 'what it sends is no run (an aggregation has more words'
lies aggregation 'what it sends is no run (no such aggregation'
lies letter 'what it sends is no run (a part has no known letter'
lies size 'what it sends is no run (a block is larger than dtx takes'
lies manifest 'what it sends is no run'
lies print 'what it sends is no run (a printa() shows aggregations that it does not name' 14
lies mixed 'what it sends is no run (a row has no such number' 14
# attack: a host sends 20,000 rows of a histogram with 20,000 buckets, 3.2 GB in a table, in 200 KB | it is out; the others' values are printed within 1 GB
(ulimit -v 1500000 && lies wide 'its keys, texts and rows take more than 256 MB' 14) || exit 1
lies program '@b is another aggregation there' 14
cp "$tmp/out" "$tmp/b"
dtx --replay "$tmp/good"
same "$(awk 'NF == 1' "$tmp/out" | head -n 1)" "$(awk 'NF == 1' "$tmp/b" | head -n 1)" 'its @b is not taken'
lies flood 'it has told more than 1000 messages' 14
[ "$(grep -c liar: "$tmp/err")" -lt 1010 ] || fail 'a flood of messages'
lies escape 'owned' 14
if grep -q $'\033' "$tmp/err" "$tmp/out"; then fail 'an escape sequence'; fi
# An option that the program does not set: all rows are there.
# attack: a host sends options as if the program had set them | they are not taken
lie option
dtx --replay "$tmp/good" "$tmp/liar"
grep -qE '^ +x +2$' "$tmp/out" && grep -qE '^ +y +2$' "$tmp/out" || fail "a host cuts the table: $(cat "$tmp/out")"
# Probes that a host finds later, while a round of all waits.
lie probes
dtx -q --replay "$tmp/liar" "$tmp/good" --record "$tmp/both"
"$DTX" -q --replay "$tmp/both" >"$tmp/again" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
grep -qx 'shown 2' "$tmp/out" && cmp "$tmp/out" "$tmp/again" || fail "late probes: $(cat "$tmp/out" "$tmp/again")"
# At the end the hosts that lost the most are named.
for n in 5 70 9000 31; do lie lost$n l$n; done
dtx --replay "$tmp/good" "$tmp"/l{5,70,9000,31}
grep -q '4 of 5 hosts lost data, the most of it l9000 (9000), l70 (70), l31 (31)$' "$tmp/err" || fail "the worst: $(cat "$tmp/err")"
# What comes twice is counted once.
lie twice
dtx --replay "$tmp/good" "$tmp/liar"
grep -qE '^ +1 +14$' "$tmp/out" || fail "counted twice: $(cat "$tmp/out")"
