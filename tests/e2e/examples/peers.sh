#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: bpftrace setpriv
# timeout: 120
# waits: for the intervals of two tools
#
# The tools of Debian's package of bpftrace that have the same names say the same about one load. Both run at the same time.
. "$(dirname "$0")/tool.bash"
. "$(dirname "$0")/peers.bash"

own cat reader
own stat asker
own bash killer
own sync syncer
own true runner
own getent finder
own syscalls caller
own setpriv changer
chmod 755 "$tmp"
echo 'sleep 5 & kill -15 $!; kill -0 999999' >"$tmp/kills"
load <<'END'
:>here
for i in 1 2 3; do ./reader here absent >/dev/null 2>&1; done
./asker here absent >/dev/null 2>&1
./killer ./kills 2>/dev/null
./syncer here
./runner first 'second one' third
./runner
./finder hosts localhost
./finder hosts name.invalid.
./caller 20
./changer --reuid 4321 --clear-groups ./runner changed
END

beside opensnoop '$2 == "reader" && $3 < 3000 { print $2, $3, $4, $5 }' '$4 == "reader" { print $4, $5, $6, $7 }'
beside statsnoop '$2 == "asker" && $4 ~ /^(here|absent)$/ { print $2, $3, $4 }' '$3 == "asker" && $6 ~ /^(here|absent)$/ { print $3, $5, $6 }'
beside killsnoop '$3 == "killer" { print $2, $3, $4, $5, -$6 }' '$3 == "killer" { print $2, $3, $5, $6, $7 }'
beside syncsnoop '$3 == "syncer" { sub(/.*sys_enter_/, "", $4); print $2, $3, $4 }' '$3 == "syncer" { print $2, $3, $4 }'
beside execsnoop '$3 == "./runner" { $1 = ""; print }' '$6 == "runner" { printf " %d", $3; for (i = 7; i <= NF; i++) printf " %s", $i; print "" }'
beside gethostlatency '$3 == "finder" { print $2, $3, $5 }' '$3 == "finder" { print $2, $3, $7 }'
beside setuids '$3 == "changer" { gsub(/[a-z]*=|[()]/, ""); print $2, $4, $5, $6, $7, $8, $9 }' '$3 == "changer" { print $2, $4, $5, $6, $7, $8, $9 }'
beside syscount '$1 == "@process[caller]:" { print $2 }' '$2 == "caller" { print $3 }' -P
compared
