#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: options.knodefs options.unodefs options.objcopypath
# row: opt.core opt.ctypes opt.dtypes opt.ctfpath opt.debug opt.debugassert opt.dofstashpath opt.iregs opt.late opt.lazyload opt.ldpath opt.linkmode opt.linktype opt.linknommap opt.modpath opt.pgmax opt.preallocate opt.procfspath opt.strip opt.sysslice opt.tregs opt.useruid opt.kdefs opt.udefs opt.jstackstrsize opt.aggrate opt.errtags
#
# Options of other implementations that have nothing to decide here are accepted, as -x and as pragma (but for paths,
# pragma_outside.sh), and their values are checked; a program runs as before.
. "$(dirname "$0")/../lib.sh"

while read -r option; do
	[ -n "$option" ] || continue
	dtx -q -x "$option" -n 'BEGIN { trace(1); exit(0); }'
	same 1 "$(cat "$tmp/out")" "-x $option"
	case $option in ctfpath=* | ldpath=* | modpath=* | procfspath=*) continue ;; esac
	dtx -q -n "#pragma D option $option
BEGIN { trace(1); exit(0); }"
	same 1 "$(cat "$tmp/out")" "#pragma D option $option"
done <<END
core
ctypes=$tmp/ctypes
dtypes=$tmp/dtypes
ctfpath=$tmp/ctf
debug
debugassert=0x5
dofstashpath=$tmp
iregs=4
late=dynamic
late=static
lazyload
ldpath=/bin/ld
linkmode=dynamic
linkmode=static
linktype=elf
linktype=dof
linknommap
modpath=/lib/modules
pgmax=4
preallocate=1m
procfspath=/proc
strip
sysslice=my.slice
tregs=4
useruid=500
kdefs
knodefs
objcopypath=/bin/objcopy
udefs
unodefs
jstackstrsize=1k
aggrate=10hz
errtags
END
for option in debugassert=x iregs=9 iregs=0 late=soon linkmode=loose linktype=coff pgmax=few preallocate=x \
	useruid=me jstackstrsize=x aggrate=x tregs=x; do
	refused "failed to set -x ${option%%=*}: " -q -x "$option" -n 'BEGIN { exit(0); }'
done
"$DTX" -x errtags -e -n 'BEGIN { x; }' 2>&1 | grep -q '\[D_IDENT_UNDEF\]' || fail 'errtags: no tag'
# aggrate may change while tracing.
dtx -q -n 'BEGIN { setopt("aggrate", "1ms"); @ = count(); printa("%@d\n", @); clear(@); printa("%@d\n", @); exit(0); }'
same $'1\n0' "$(sed '/^$/d' "$tmp/out")" 'aggrate by setopt()'
