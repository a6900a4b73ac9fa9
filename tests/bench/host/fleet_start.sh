# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2034,SC2154 # see tests/bench/run
what="40 hosts, which are one sshd on the loopback: from the command to one table of all" unit=s target="1.5 ssh"
tools="ssh dtx pdsh" rounds=3 hosts='h[01-40]'

sshd_up() {
	mkdir -p /run/sshd "$tmp/bin" "$tmp/cache"
	ssh-keygen -qt ed25519 -N '' -f "$tmp/key" </dev/null
	ssh-keygen -qt ed25519 -N '' -f "$tmp/hostkey" </dev/null
	bench_port=$((20000 + $$ % 10000))
	# SHLVL: no .bashrc is read, whose programs are not of ssh.
	printf '%s\n' "Port $bench_port" 'ListenAddress 127.0.0.1' "HostKey $tmp/hostkey" "AuthorizedKeysFile $tmp/key.pub" "PidFile $tmp/sshd.pid" \
		'StrictModes no' 'UsePAM no' 'PermitRootLogin yes' 'MaxStartups 200' "SetEnv PATH=$(dirname "$DTX"):/usr/bin:/bin SHLVL=1" >"$tmp/sshd_config"
	printf '%s\n' 'Host *' " Port $bench_port" ' HostName 127.0.0.1' ' HostKeyAlias loop' " IdentityFile $tmp/key" ' IdentitiesOnly yes' \
		" UserKnownHostsFile $tmp/known" ' LogLevel ERROR' >"$tmp/ssh_config"
	echo "loop $(cat "$tmp/hostkey.pub")" >"$tmp/known"
	printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$tmp/ssh_config" >"$tmp/bin/ssh"
	chmod +x "$tmp/bin/ssh"
	"$(command -v sshd)" -f "$tmp/sshd_config" -E "$tmp/sshd.log"
	trap 'kill "$(cat "$tmp/sshd.pid")"' EXIT
	while [ ! -s "$tmp/sshd.pid" ]; do sleep 0.05; done
}
[ "${2:-}" = late ] || sshd_up

# answered COMMAND…: seconds until it has counted all hosts.
answered() {
	local ms
	ms=$(PATH=$tmp/bin:$PATH XDG_CACHE_HOME=$tmp/cache wall "$@")
	if grep -qx ' *hosts  *40' "$tmp/out"; then awk "BEGIN { print $ms / 1000 }"; else head -n 3 "$tmp/out" >&2; fi
}
echo 'BEGIN { @["hosts"] = count(); exit(0); }' >"$tmp/program"
# What the way alone takes: 40 logins, as many at once.
tool_ssh()  { answered sh -c "seq -w 40 | xargs -P 40 -I {} ssh h{} echo hosts | awk '{ n++ } END { print \$1, n }'"; }
# A first run describes the kernel; its description is kept.
tool_dtx()  { [ -d "$tmp/cache/dtx" ] || answered "$DTX" --hosts h01 -qs "$tmp/program" 2>/dev/null; answered "$DTX" --hosts "$hosts" -x hostwait=2m -qs "$tmp/program"; }
# dtx on each host, which compiles there; its texts are added up.
tool_pdsh() { have pdsh && answered sh -c "pdsh -R ssh -f 40 -w '$hosts' dtx -qs $tmp/program | awk 'NF == 3 { n[\$2] += \$3 } END { for (k in n) print k, n[k] }'"; }
