#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# dtx-run --agent, asked by a collector that is a script: what it is, its description, a run; and the ends of a run: its own, one
# that is asked for, no lease, the end of its input, its death.
# needs: root syscall:openat python3 ssh-keygen
# timeout: 240
# waits: for leases
. "$(dirname "$0")/../lib.sh"

export AGENT="exec $(dirname "$DTX")/dtx-run --agent" IMAGE=$tmp/image STREAM=$tmp/stream
talk() { timeout 60 python3 "$(dirname "$0")/collector.py" "$@" >"$tmp/out" 2>"$tmp/err" || fail "$*: $(cat "$tmp/out" "$tmp/err")"; }
said() { grep -qxF -- "$1" "$tmp/out" || fail "not said: $1, but: $(cat "$tmp/out")"; }

# truth: a host of a fleet | kernel, boot and machine that the agent says | uname, /proc
talk hello describe
said "kernel $(uname -r)"
said "machine $(uname -m)"
said "boot $(cat /proc/sys/kernel/random/boot_id)"
said "build $(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | sed -E 's/^.*04000000(10|14)00000003000000474e5500(.{40}).*/\2/')"
said "version $("$DTX" --version | sed 's/^[^:]*: //')"
said 'rights yes'
said 'status 0'
"$DTX" --image "$tmp/described" -x machine="$tmp/stream" -n 'BEGIN { exit(0); }' || fail 'what it sent is no description'

# A run that ends by itself: the stream is a recording.
dtx --image "$IMAGE" -x timestamps -n 'BEGIN { @[pid, "mine"] = count(); exit(7); }'
talk hello option:refresh=50ms load go end
said 'E 7 '
dtx --replay "$STREAM"
grep -Eq '^ +[0-9]+ +mine +1$' "$tmp/out" || fail "the stream: $(cat "$tmp/out")"

# One that does not end: nothing of it is left, however it ends.
cat >"$tmp/long.d" <<-'D'
	BEGIN { @ = count(); }
	tracepoint:sched:sched_switch { @n = count(); }
	END { @ended = count(); }
D
dtx --image "$IMAGE" -x timestamps -s "$tmp/long.d"
mine=$(dirname "$DTX")/dtx-run-$$
ln "$(dirname "$DTX")/dtx-run" "$mine"
trap 'rm -rf "$tmp" "$mine"' EXIT
gone() { ! pgrep -f "^$mine" >/dev/null; }
AGENT="exec $mine --agent"
talk hello load go stop end
said 'E 0 '
dtx --replay "$STREAM"
[ "$(tail -n 2 "$tmp/out" | tr -d ' \n')" != '' ] || fail 'nothing of the run came'
awaits gone

# No lease: it ends by itself.
talk hello lease:300 load go deaf
said 'status 0'
awaits gone
talk hello load go close
said 'status 0'
awaits gone
# Not yet begun: the same.
talk hello load close
said 'status 0'
awaits gone

# With a token it lives on for its lease, unless the collector says that it goes.
token=$(printf '%032x' $$)
talk hello lease:300 load go:$token close
awaits gone
talk hello load go:$token bye
said 'status 0'
awaits gone
# attack: resume a run by another token, by another place of the stream, by no token | refused, and the run goes on
timeout 60 python3 "$(dirname "$0")/collector.py" hello load go:$token end >"$tmp/first" 2>&1 & first=$!
awaits grep -qs '^B' "$tmp/first"
for at in "${token%???}fff 13" "$token 1" "$token 99999999999" "$(printf '%032x' 1) 13"; do
	talk hello "resume:$at"
	said 'E 1 its run there has ended'
done
for at in '' rubbish "X$token 13" "$token$token$token"; do
	talk hello "resume:$at"
	grep -q 'no request' "$tmp/out" || fail "not refused: $at: $(cat "$tmp/out")"
done
# attack: another user of the machine calls the socket of a run | not heard
python3 - "$token" >"$tmp/out" <<-'E'
	import os, socket, sys
	s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
	os.setuid(65534)
	s.connect("\0dtx-run-" + sys.argv[1][:16])
	try:
	    socket.send_fds(s, [sys.argv[1].encode() + (13).to_bytes(8, "little") + bytes(8)], [0, 1])
	    print(s.recv(1))
	except (ConnectionResetError, BrokenPipeError):
	    print("closed")
	E
same closed "$(cat "$tmp/out")" 'a stranger has the run'
# attack: another user of the machine calls the socket of a run a hundred times | the run's own user still finds room
pkill -STOP -f "^$mine --agent"
python3 - "$token" >"$tmp/out" <<-'E'
	import os, socket, sys
	calls = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(101)]
	for i, call in enumerate(calls):
	    os.seteuid(65534 if i < 100 else 0)
	    call.settimeout(0.1)
	    call.connect("\0dtx-run-" + sys.argv[1][:16])
	print("heard")
	E
pkill -CONT -f "^$mine --agent"
same heard "$(cat "$tmp/out")" 'strangers fill the queue of the run'
kill -0 $first || fail 'the run ended'
pkill -INT -f "^$mine --agent"
wait $first || fail "the run that nobody could take: $(cat "$tmp/first")"
awaits gone

# Killed: its children end with it, and so do the probes.
AGENT="exec 5<&0; $mine --agent <&5 & echo \$! >$tmp/pid; wait"
talk hello load go killed end
awaits gone
AGENT="exec $mine --agent"

# The last command of -c ends the run; what they write comes, too, and what they have begun ends.
talk hello 'command:echo from the command' load go end
said 'O from the command'
said 'E 0 '
begun=$tmp/begun
talk hello "command:sh -c 'echo one >>$begun; sleep 1000 & echo \$! >>$begun'" "command:sh -c 'sleep 0.2; echo two >>$begun'" load go end
same 'one two' "$(grep o "$begun" | xargs)" 'two commands'
awaits eval '! kill -0 "$(grep "[0-9]" "$begun")"'
# An image that cannot run takes its commands with it.
rm "$begun"
echo rubbish >"$tmp/none"
talk hello "command:sh -c 'echo one >>$begun'" load:"$tmp/none" "command:sh -c 'echo one >>$begun'" load go end
same one "$(cat "$begun")" 'a command of the image before'
talk hello command:/no/such load
grep -q "^T Ecannot run '/no/such'" "$tmp/out" || fail "a command that is not there: $(cat "$tmp/out")"

# attack: dtx-run --trust --agent: images without a signature, commands, options, descriptions | refused
ssh-keygen -qt ed25519 -N '' -f "$tmp/alice"
echo "alice $(cat "$tmp/alice.pub")" >"$tmp/signers"
AGENT="exec $mine --trust $tmp/signers --agent"
dtx --image "$IMAGE" -x timestamps -n 'BEGIN { exit(5); }'
talk hello load
grep -q '^T Ethe image is not signed' "$tmp/out" || fail "an image that nobody signed: $(cat "$tmp/out")"
dtx --image "$IMAGE" -x timestamps -x sign="$tmp/alice" -wn 'BEGIN { system("echo written by system"); exit(5); }'
talk hello option:refresh=1s load go end
said 'O written by system'
said 'E 5 '
for step in command:id option:destructive option:refresh describe; do
	talk hello "$step" close
	grep -q '^T Ewith --trust' "$tmp/out" || fail "$step: $(cat "$tmp/out")"
done
# attack: an option with a NUL inside, so that another one follows | refused; no file is written as root
talk hello "option:refresh=1s%00trace=$tmp/written" load go close
grep -q '^T Ewith --trust' "$tmp/out" || fail "an option behind an option: $(cat "$tmp/out")"
[ ! -e "$tmp/written" ] || fail 'the caller of --trust has a file written'
AGENT="exec $mine --agent"

# What cannot run here, and what is no image.
printf 'no image' >"$IMAGE"
talk hello load
grep -q '^T E.*image' "$tmp/out" || fail "not said why: $(cat "$tmp/out")"
said 'E 1 '
talk hello raw:rubbishrubbishrubbish
grep -q 'no request' "$tmp/out" || fail "not refused: $(cat "$tmp/out")"
