#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf zstd tar objcopy cc python3 setpriv
# where: native
# timeout: 120
#
# --describe records this machine, and -x machine=FILE compiles for it: what comes is what is made without. A description
# is a file of somebody else: a damaged one is refused, what it lacks is told, and nothing of this machine is taken for it.
# truth: a machine in a file | an image made with -x machine=FILE, and the list of all probes | the image and the list made on the machine itself
# attack: a description cut short, with a wrong sum, of another format, of another kind of machine, no description | refused, status 1
# attack: a description with 200,001 files, 21 folders in one another, or 20 MB of answers | refused, status 1
. "$(dirname "$0")/../lib.sh"
m=$tmp/here.machine

# refused WORDS ARG…: status 1, and a message that says so.
refused() {
	local words=$1
	shift
	"$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	same 1 $? "status of $*"
	grep -qF -- "$words" "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}

# The path of an event that somebody has made may be longer than the 100 bytes of a name in a tar archive.
events=/sys/kernel/tracing/uprobe_events long=dtxtest$$/$(printf 'long%.0s' {1..15})
if [ -w $events ] && echo "p:$long /bin/cat:0x1000" 2>/dev/null >>$events; then
	dtx --describe "$tmp/with"
	echo "-:$long" >>$events
	tar --zstd -tf "$tmp/with" | grep -qx "sys/kernel/tracing/events/$long/format" || fail 'an event with a long name is not there'
fi
dtx --describe "$m"
[ ! -s "$tmp/err" ] || fail "as root: $(cat "$tmp/err")"
[ "$(stat -c %s "$m")" -le $((3 << 20)) ] || fail "$(stat -c %s "$m") bytes"
# The symbols of the kernel: all of them, in its order, with its distances, and no address of this boot.
zstd -dq <"$m" >"$tmp/whole"
python3 - "$tmp/whole" "$tmp/first" <<'PYTHON' || fail 'the symbols of the kernel are others'
import io, re, sys, tarfile
place, lines = 0, []
with tarfile.open(sys.argv[1]) as tar, tarfile.open(sys.argv[2], 'w', format=tarfile.USTAR_FORMAT) as first:
    kept = [line.split(' ', 2) for line in tar.extractfile('proc/kallsyms').read().decode().splitlines()]
    for i, line in enumerate(kept):
        place = (place + int(line[0], 16)) % 2 ** 64
        lines.append('%016x %s %s' % (place, line[1], line[2] if len(line) == 3 else '__pfx_' + kept[i + 1][2]))
    # The format before had them as the kernel lists them.
    for member in tar:
        data = tar.extractfile(member).read() if member.isfile() else b''
        if member.name == 'proc/kallsyms': data = ('\n'.join(lines) + '\n').encode()
        if member.name == 'dtx/answers': data = re.sub(rb'(?m)^format .*', b'format 1', data)
        member.size = len(data)
        first.addfile(member, io.BytesIO(data))
here = [line for line in open('/proc/kallsyms').read().splitlines() if not re.search(r'\t\[(bpf|__builtin__.*)\]$', line)]
start = int([line for line in here if line.endswith(' _stext')][0][:16], 16)
moved = []
for line in here:
    at = int(line[:16], 16)
    if '\t' in line or at < 2 ** 63: moved.append(None)
    else: moved.append(at - start)
if len(here) != len(lines): sys.exit('%d symbols here, %d kept' % (len(here), len(lines)))
for mine, at, line in zip(here, moved, lines):
    if mine[16:] != line[16:]: sys.exit('here %s, kept %s' % (mine, line))
    if at is not None and int(line[:16], 16) != 0xffff900000000000 + at: sys.exit('here at %x: %s' % (at, line))
if start == 0xffff900000000000: sys.exit('they are not moved')
PYTHON
zstd -q -1 -f "$tmp/first" -o "$tmp/first.machine"
for machine in "$m" "$tmp/first.machine"; do
	dtx --image "$tmp/image.${machine##*/}" -x machine="$machine" -n 'BEGIN { trace(`jiffies); @[stack()] = count(); exit(0); }'
done
cmp "$tmp/image.${m##*/}" "$tmp/image.first.machine" || fail 'the format before gives another image'
rm "$tmp"/image.*

# --- the same as here ---------------------------------------------------------------------------

while IFS= read -r program; do
	dtx --image "$tmp/made" -n "$program"
	dtx --image "$tmp/meant" -x machine="$m" -n "$program"
	cmp "$tmp/made" "$tmp/meant" || fail "the image of $program differs"
	rm "$tmp/made" "$tmp/meant"
done <<'END'
syscall::openat:entry { trace(copyinstr(arg1)); }
rawtp:::sched_switch { trace(args[1]->comm); } rawtp:::signal_generate { trace(args[1]); }
tracepoint:*:sched_* { @[probename, stack()] = count(); }
sched:::on-cpu, io:::start, tcp:::send { @[probename] = count(); }
BEGIN { trace(`jiffies); trace(ipl); exit(0); }
software:::context-switches-100 { @ = count(); } profile-99 { @b[cpu] = count(); }
END
for list in -l '-lvn rawtp:::sched_*' '-lvn syscall::open*:'; do
	# shellcheck disable=SC2086 # two words
	"$DTX" $list >"$tmp/made" 2>&1
	# shellcheck disable=SC2086
	"$DTX" -x machine="$m" $list >"$tmp/meant" 2>&1
	cmp "$tmp/made" "$tmp/meant" || fail "$list differs"
done
dtx -S plan -n 'rawtp:::sched_switch { trace(args[1]->comm); }' && mv "$tmp/out" "$tmp/made"
DTX_OPT_MACHINE=$m dtx -S plan -n 'rawtp:::sched_switch { trace(args[1]->comm); }'
cmp "$tmp/made" "$tmp/out" || fail 'by the environment'

# What an editor asks.
ask() { printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"; }
{
	ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
	ask '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.d","languageId":"d","version":1,"text":"uprobe:libc:malloc { @ = count(); }"}}}'
	ask '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
	ask '{"jsonrpc":"2.0","method":"exit"}'
} >"$tmp/asked"
"$DTX" --lsp -x machine="$m" <"$tmp/asked" >"$tmp/out" 2>&1
grep -q 'are not in its description' "$tmp/out" || fail "the language server: $(cat "$tmp/out")"

# --- what it is not for -------------------------------------------------------------------------

name="$(uname -n) (Linux $(uname -r))"
refused "compiled for $name and cannot run here" -x machine="$m" -n 'BEGIN { exit(0); }'
refused '-c is a process of this machine' -x machine="$m" -c true -n 'BEGIN { exit(0); }'
refused '-p is a process of this machine' -x machine="$m" -p $$ -n 'BEGIN { exit(0); }'
for probe in uprobe:libc:malloc "pid$$:libc::entry" usdt:/bin/bash:: "python$$:::" ; do
	refused 'are not in its description' -e -x machine="$m" -n "$probe { @ = count(); }"
done
refused "is a second one: only -e takes several" -S ast -x machine="$m" -x machine="$m" -n 'BEGIN { exit(0); }'
refused 'failed to set' -x machine -e -n 'BEGIN { exit(0); }'
refused 'leave -x machine out' -x machine="$m" --describe "$tmp/again"
[ ! -e "$tmp/again" ] || fail 'a file without a description'
cp "$m" "$tmp/again"
refused 'leave -x machine out' -x machine="$tmp/again" --describe "$tmp/again"
(ulimit -f 100 && refused 'cannot write' --describe "$tmp/again")
cmp "$m" "$tmp/again" || fail 'the old description is lost'
dtx --image "$tmp/image" -n 'BEGIN { exit(0); }'
DTX_OPT_MACHINE=$m refused 'images run on this machine, and' -r "$tmp/image"
DTX_OPT_MACHINE=$m refused '--inspect says whether an image can run on this machine, and' --inspect "$tmp/image"
dtx --doctor -x machine="$m"
grep -qF "kernel               yes  $name" "$tmp/out" || fail "--doctor: $(cat "$tmp/out")"
grep -q '^tracepoint  *yes' "$tmp/out" || fail "--doctor: $(cat "$tmp/out")"
grep -q '^uprobe  *no  *programs and libraries of .* --program PATH' "$tmp/out" || fail "--doctor: $(cat "$tmp/out")"
dtx --features -x machine="$m"
DTX_OPT_BTF=/sys/kernel/btf/vmlinux dtx -r "$tmp/image"

# --- damaged, and of others ---------------------------------------------------------------------

# remade QUESTION ANSWER [FOLDER]: a description with another answer, and without what is below the folder.
remade() {
	python3 - "$tmp/whole" "$tmp/tar" "$@" <<-'PYTHON'
	import io, re, sys, tarfile
	whole, to, question, answer, gone = (sys.argv + ['', ''])[1:6]
	with tarfile.open(whole) as old, tarfile.open(to, 'w', format=tarfile.USTAR_FORMAT) as new:
	    for member in old:
	        data = old.extractfile(member).read() if member.isfile() else b''
	        if member.name == 'dtx/answers':
	            line = question + ' ' + answer if answer != 'gone' else ''
            data = re.sub(rb'(?m)^%s .*' % question.encode(), line.encode(), data)
	            member.size = len(data)
	        if not gone or not (member.name + '/').startswith(gone + '/'):
	            new.addfile(member, io.BytesIO(data))
	PYTHON
	zstd -q -1 -f "$tmp/tar" -o "$tmp/other.machine"
}
head -c 100000 "$m" >"$tmp/cut" && refused 'it is damaged, or was cut short' -e -x machine="$tmp/cut" -n 'BEGIN { exit(0); }'
refused 'it is no description of a machine' -e -x machine="$0" -n 'BEGIN { exit(0); }'
refused 'No such file' -e -x machine="$tmp/none" -n 'BEGIN { exit(0); }'
DTX_OPT_MACHINE=$0 refused 'it is no description of a machine' -e -n 'BEGIN { exit(0); }'
for what in '-ln syscall:::' --features --doctor "-r $tmp/image" "--inspect $tmp/image"; do
	# shellcheck disable=SC2086 # two words
	DTX_OPT_MACHINE=$0 refused 'it is no description of a machine' $what
done
cp "$tmp/whole" "$tmp/tar"
printf '\377' | dd of="$tmp/tar" bs=1 seek=0 conv=notrunc status=none
zstd -q -1 -f "$tmp/tar" -o "$tmp/bad" && refused 'it is damaged' -e -x machine="$tmp/bad" -n 'BEGIN { exit(0); }'
remade format 99 && refused 'another version of dtx made it' -e -x machine="$tmp/other.machine" -n 'BEGIN { exit(0); }'
remade uname.machine s390 && refused 'a machine of another kind, s390' -e -x machine="$tmp/other.machine" -n 'BEGIN { exit(0); }'

remade hz gone
dtx -e -x machine="$tmp/other.machine" -n 'BEGIN { exit(0); }'
grep -q 'for what .* does not say: hz$' "$tmp/err" || fail "what it does not say: $(cat "$tmp/err")"
grep -q 'describe that machine again with this dtx' "$tmp/err" || fail "what to do: $(cat "$tmp/err")"
if grep -q 'the rights to read' "$tmp/err"; then fail 'it was made with all rights'; fi
# What would take memory without end: folders in folders, members, answers.
for bomb in folders members answers; do
	python3 - $bomb "$tmp/tar" <<-'PYTHON'
	import sys, tarfile
	def head(name, size=0):
	    member = tarfile.TarInfo(name)
	    member.size = size
	    return member.tobuf(tarfile.USTAR_FORMAT)
	answers = b'format 1\n' + (b'x y\n' * (5 << 20) if sys.argv[1] == 'answers' else b'')
	with open(sys.argv[2], 'wb') as tar:
	    tar.write(head('dtx/answers', len(answers)) + answers + bytes(-len(answers) % 512))
	    if sys.argv[1] == 'folders':
	        tar.write(head('sys/' + 'a/' * 20 + 'b'))
	    if sys.argv[1] == 'members':
	        tar.write(head('sys/a') * 200001)
	    tar.write(bytes(1024))
	PYTHON
	zstd -q -1 -f "$tmp/tar" -o "$tmp/bomb"
	words='it has more than any machine has'
	[ $bomb != folders ] || words='it is damaged'
	refused "$words" -e -x machine="$tmp/bomb" -n 'BEGIN { exit(0); }'
done

# --- several, and what differs between them ------------------------------------------------------

remade uname.nodename other sys/kernel/tracing/events/sched/sched_switch
other=$tmp/other.machine
"$DTX" -e -x machine="$m" -x machine="$other" -x machine="$m" -n 'tracepoint:sched:sched_switch { @ = count(); }' >"$tmp/out" 2>"$tmp/err"
same 1 $? 'status of several machines'
same "$m: $name: compiles
$m: $name: compiles
    dtx: description 'tracepoint:sched:sched_switch' matched 1 probe
$other: other (Linux $(uname -r)): does not compile" "$(head -4 "$tmp/out")" 'what differs'
grep -q "^    -n:1:1: error: .*matches no probe" "$tmp/out" || fail "$(cat "$tmp/out")"
same 'it compiles for 2 of 3 machines' "$(tail -1 "$tmp/out")" 'how many'
dtx -e -x machine="$m" -x machine="$other" -n 'BEGIN { exit(0); }'
same "    dtx: description 'BEGIN' matched 1 probe" "$(sed -n 3p "$tmp/out")" 'the same on both'

cat >"$tmp/script.d" <<'END'
BEGIN { exit(0); }
END
dtx -e -x machine="$m" -x machine="$other" "$tmp/script.d"
same "$m: $name: compiles
$other: other (Linux $(uname -r)): compiles" "$(head -2 "$tmp/out")" 'a script for several machines'
refused 'standard input can be read only once' -e -x machine="$m" -x machine="$other" -s -
refused 'can be read only once' -e -x machine="$m" -x machine="$other" <(cat "$tmp/script.d")
"$DTX" -e -x nosuch -x machine="$m" -x machine="$other" "$tmp/script.d" >"$tmp/out" 2>"$tmp/err"
same 1 $? 'status with an option that fails'
same "$m: $name: does not compile
$other: other (Linux $(uname -r)): does not compile" "$(head -2 "$tmp/out")" 'an option that fails'
same 1 "$(grep -c 'failed to set -x nosuch' "$tmp/out")" 'told once'

# --- types from a file --------------------------------------------------------------------------

cp /sys/kernel/btf/vmlinux "$tmp/types"
sched='rawtp:::sched_switch { trace(args[1]->comm); }'
dtx -S plan -n "$sched" && mv "$tmp/out" "$tmp/made"
dtx -S plan -x btf="$tmp/types" -n "$sched"
cmp "$tmp/made" "$tmp/out" || fail 'with the same types from a file'
echo 'int x;' | cc -xc -c -o "$tmp/object" - && objcopy --add-section .BTF="$tmp/types" "$tmp/object"
remade none none sys/kernel/btf
refused 'has no typed arguments' -e -x machine="$other" -n "$sched"
dtx -e -x machine="$other" -x btf="$tmp/types" -n "$sched"
dtx -e -x btf="$tmp/object" -x machine="$other" -n "$sched"
dtx -e -x machine="$other" -x btf=/sys/kernel/btf/vmlinux -n "$sched"
refused 'has no types of a kernel' -e -x btf="$0" -n "$sched"
python3 - "$tmp/types" <<'END'
import sys
data = bytearray(open(sys.argv[1], 'rb').read())
at = data.index(b'\0task_struct\0')
data[at + 1:at + 3] = b'TT'
open(sys.argv[1], 'wb').write(data)
END
refused 'has types of its own' -e -x btf="$tmp/types" -n "$sched"

# --- without rights -----------------------------------------------------------------------------

# A user cannot look for files in this folder.
exec 9<"$DTX"
setpriv --reuid 65534 --regid 65534 --clear-groups /proc/self/fd/9 --describe - >"$tmp/user.machine" 2>"$tmp/err" || fail "as a user: $(cat "$tmp/err")"
for what in 'the abilities of the kernel' 'the formats of events'; do
	grep -qF "not described: $what" "$tmp/err" || fail "not told: $what: $(cat "$tmp/err")"
done
"$DTX" -e -x machine="$tmp/user.machine" -n 'tracepoint:sched:sched_switch { @ = count(); }' 2>"$tmp/err" && fail 'without formats'
grep -q 'for what .* does not have: .*the formats of events' "$tmp/err" || fail "what lacks: $(cat "$tmp/err")"
dtx -e -x machine="$tmp/user.machine" -n 'syscall::read:entry { @ = count(); }'
grep -q 'for what .* does not have: .*the abilities of the kernel' "$tmp/err" || fail "what lacks: $(cat "$tmp/err")"
grep -q 'describe that machine again with the rights' "$tmp/err" || fail "what to do: $(cat "$tmp/err")"
exit 0
