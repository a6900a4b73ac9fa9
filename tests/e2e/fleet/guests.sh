#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# One command over guests with kernels of their own, this machine and a login without rights, all by sshd: one compilation for each
# kernel, one exact table; a guest that is killed in the middle keeps what it told; nothing stays anywhere.
# needs: root guests sshd ssh-keygen ssh gzip gcc
# beside: it waits for emulated machines
# timeout: 400
# truth: a fleet of kernels, count(), sum(), quantize() | the merged table, and a row of each host by hostname | 500 calls of a program on each
. "$(dirname "$0")/../lib.sh"
plain 'the guests are slow'

read -ra kernels <<<"$DTX_GUESTS"
kernels=("${kernels[@]:0:3}")
last=${kernels[-1]}
export XDG_CACHE_HOME=$tmp/cache
mkdir -p /run/sshd "$tmp/bin"
ssh-keygen -qt ed25519 -N '' -f "$tmp/key"
ssh-keygen -qt ed25519 -N '' -f "$tmp/hostkey"
echo "fleet $(cat "$tmp/hostkey.pub")" >"$tmp/known"
chmod 755 "$tmp"

port=$((20000 + $$ % 10000))
# The last guest has no dtx-run: it is sent.
bin=$(readlink -f "$(dirname "$DTX")")
sshd_config() {
	printf '%s\n' "Port $1" "HostKey $tmp/hostkey" "AuthorizedKeysFile $tmp/key.pub" 'StrictModes no' 'UsePAM no' 'UseDNS no' \
		'PasswordAuthentication no' 'KbdInteractiveAuthentication no' "PidFile $tmp/sshd-$1.pid" "SetEnv PATH=${2:-}/usr/bin:/bin SHLVL=1" # no .bashrc: see ssh.sh
}
cat >"$tmp/there.sh" <<-'END'
	hostname "$1"
	modprobe virtio_net
	card=$(basename "$(readlink -f /sys/class/net/e*)")
	ip addr add 10.0.2.15/24 dev "$card" && ip link set "$card" up
	useradd -m -p '*' poor
	mkdir -p /run/sshd
	/usr/sbin/sshd -f "$2" -E /run/results/log
	: >/run/results/up
	until [ -e /run/results/over ]; do sleep 1; done
	# Processes, files, probes.
	{
		pgrep -fl -- '--agent'
		find /dev/shm /run /tmp -maxdepth 1 -name '.dtx-run-*'
		ls -l /proc/[0-9]*/fd 2>/dev/null | grep -E 'bpf-|\[perf_event\]'
		cat /sys/kernel/tracing/[ku]probe_events
		echo that is all
	} >/run/results/left
END
sshd_config 22 >"$tmp/last_config"
sshd_config 22 "$bin:" >"$tmp/guest_config"
sshd_config $port "$bin:" >"$tmp/sshd_config"
echo ListenAddress 127.0.0.1 >>"$tmp/sshd_config"
{
	n=0
	for kernel in "${kernels[@]}"; do printf 'Host %s\nPort %d\n' "$kernel" $((port + ++n)); done
	printf 'Host poor\nUser poor\nPort %d\n' $((port + 1))
	printf '%s\n' 'Host *' "Port $port" 'HostName 127.0.0.1' 'HostKeyAlias fleet' "IdentityFile $tmp/key" 'IdentitiesOnly yes' \
		"UserKnownHostsFile $tmp/known" 'User root' 'KexAlgorithms curve25519-sha256'
} >"$tmp/ssh_config"
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$tmp/ssh_config" >"$tmp/bin/ssh"
chmod +x "$tmp/bin/ssh"
cat >"$tmp/calls.c" <<-'END'
	#include <unistd.h>
	int main(void) { sleep(2); for (int i = 0; i < 500; i++) getppid(); sleep(1); }
END
gcc -static -o "$tmp/calls" "$tmp/calls.c"

"$(command -v sshd)" -f "$tmp/sshd_config" -E "$tmp/log"
n=0
for kernel in "${kernels[@]}"; do
	n=$((n + 1))
	mkdir "$tmp/$kernel"
	config=$tmp/guest_config
	if [ "$kernel" = "$last" ]; then config=$tmp/last_config; fi
	tests/vm/run -t 900 -o "$tmp/$kernel" -n $((port + n)) "$kernel" bash "$tmp/there.sh" "k$kernel" "$config" \
		>"$tmp/$kernel.log" 2>&1 &
	guest[n]=$!
done
stop() {
	pkill -f "$tmp/"
	wait
	rm -rf "$tmp"
}
trap stop EXIT
trap 'exit 130' INT TERM
up_or_ended() { [ -e "$2" ] || ended "$1"; }
n=0
for kernel in "${kernels[@]}"; do
	n=$((n + 1))
	until_true 600 up_or_ended ${guest[n]} "$tmp/$kernel/up"
	[ -e "$tmp/$kernel/up" ] || fail "no guest $kernel: $(cat "$tmp/$kernel.log")"
done
fleet() { PATH=$tmp/bin:$PATH timeout 500 "$DTX" --hosts "here,$(IFS=,; echo "${kernels[*]}")" -x hostwait=5m "$@"; }

# Each host runs a program that calls 500 times.
fleet --hosts poor -c "$tmp/calls" -qn '
	syscall::getppid:entry /execname == "calls"/ { @[hostname] = count(); @five = sum(5); @q = quantize(pid * 0 + 3); }
	END { printa("host %s %@u\n", @); printa("all %@d\n", @five); }' >"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp/out" "$tmp/err")"
hosts=$((${#kernels[@]} + 1))
same "$(printf 'host %s 500\n' "$(uname -n)" "${kernels[@]/#/k}" | sort)" "$(grep ^host "$tmp/out" | sort)" 'a row of each host'
grep -qx "all $((hosts * 2500))" "$tmp/out" || fail "the sum: $(cat "$tmp/out")"
grep -qE "^ +2 \|@+ +$((hosts * 500)) *$" "$tmp/out" || fail "the histogram: $(cat "$tmp/out")"
grep -q '^dtx: poor: left out: ' "$tmp/err" || fail "the login without rights is not named: $(cat "$tmp/err")"

# The last guest is killed in the middle of a run.
fleet -x refresh=1s -qn 'BEGIN { @[hostname] = count(); } tick-1s /++n == 3/ { printf("far\n"); } tick-1s /n == 12/ { exit(0); }' >"$tmp/out" 2>"$tmp/err" & run=$!
until_true 300 grep -q "^$last: *far" "$tmp/out" || fail "the second run: $(cat "$tmp/out" "$tmp/err")"
kill -KILL "$(cat "$tmp/$last/qemu.pid")"
wait $run
same 1 $? "the status of a run that lost a host: $(cat "$tmp/out" "$tmp/err")"
for host in "$(uname -n)" "${kernels[@]/#/k}"; do [ "$(value "$host")" = 1 ] || fail "$host: $(cat "$tmp/out" "$tmp/err")"; done
grep -q "^dtx: warning: $last: the connection ended" "$tmp/err" || fail "the lost host is not named: $(cat "$tmp/err")"

for kernel in "${kernels[@]}"; do : >"$tmp/$kernel/over"; done
n=0
for kernel in "${kernels[@]}"; do
	n=$((n + 1))
	if [ "$kernel" = "$last" ]; then continue; fi
	wait ${guest[n]} || fail "guest $kernel: $(cat "$tmp/$kernel.log")"
	same 'that is all' "$(cat "$tmp/$kernel/left")" "left on $kernel"
done
