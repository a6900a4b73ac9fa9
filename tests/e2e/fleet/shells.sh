#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What ssh runs on a host is read by the login's shell, whichever that is; what its start files write comes before the agent. One
# that refuses is named, with what it says.
# needs: root
# timeout: 90
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$tmp/cache
bin=$(realpath "$(dirname "$DTX")")
mkdir "$tmp/bin"
# In place of ssh: the shell of the host's name takes the last word, as sshd calls it.
cat >"$tmp/bin/ssh" <<-E
	#!/bin/bash
	args=("\$@") word=\${!#} host=\${args[-2]}
	cut -d' ' -f6 /proc/self/stat >>$tmp/sessions
	export PATH=$bin:/usr/bin:/bin HOME=$tmp SHLVL=1
	case \$host in
	noise)   printf 'Welcome!\n\0\1\2 %s\n' "\$(head -c 3000 /dev/urandom | base64)"; echo 'told on the side' >&2; exec bash -c "\$word" ;;
	nologin) echo 'This account is currently not available.'; exit 1 ;;
	quiet)   exec true ;;
	busybox) exec busybox sh -c "\$word" ;;
	*)       exec \$host -c "\$word" ;;
	esac
	E
chmod +x "$tmp/bin/ssh"
shells=(bash sh noise)
for shell in fish zsh ksh tcsh busybox; do if command -v $shell >/dev/null; then shells+=($shell); fi; done
PATH=$tmp/bin:$PATH timeout 80 "$DTX" --hosts "$(IFS=,; echo "${shells[*]}"),rbash,nologin,quiet" -x hostwait=1m -qn 'BEGIN { @["x"] = count(); printf("here\n"); exit(0); }' \
	>"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp/out" "$tmp/err")"
same "$(printf '%s: here\n' "${shells[@]}" | sort)" "$(sed -n 's/: *here$/: here/p' "$tmp/out" | sort)" "shells: $(cat "$tmp/err")"
[ "$(value x)" = ${#shells[@]} ] || fail "the count: $(cat "$tmp/out")"
# Each ssh is a session: it has the processor as a program of its own, where it is shared by sessions.
same $((${#shells[@]} + 3)) "$(sort -u "$tmp/sessions" | grep -vcxF "$(cut -d' ' -f6 /proc/self/stat)")" "sessions: $(cat "$tmp/sessions")"
for why in 'rbash: left out: .*restricted' 'nologin: left out: This account is currently not available.' 'quiet: left out: it ended without a word'; do
	grep -q "^dtx: $why" "$tmp/err" || fail "not told: $why, but: $(cat "$tmp/err")"
done
