#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf bpftrace setpriv
# where: guest
# on: oldest
# timeout: 200
#
# As peers.sh, with tools that probe functions of the kernel. Two of them: the peer takes half a minute to start here.
. "$(dirname "$0")/tool.bash"
. "$(dirname "$0")/peers.bash"

own chown owner
chmod 755 "$tmp"
load <<'END'
:>here
./owner 4321 here
setpriv --reuid 4321 --clear-groups ./owner 0 here 2>/dev/null
$t/tcp small 1:9 -- mixed 50:7
END

beside capable '$4 == "owner" && $6 == "CAP_CHOWN" { n++ } END { print n }' '$1 == "owner" && $2 == "CHOWN" { n += $4 } END { print n }'
beside tcplife '$2 ~ /^(small|mixed)$/ { print $1, $2, $3, $4, $5, $6 }' '$2 ~ /^(small|mixed)$/ { print $1, $2, $3, $4, $5, $6 }'
compared
