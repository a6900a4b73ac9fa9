#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
#
# A clause with several descriptions is compiled once where the code is the same: not where arguments have other types,
# and not where a probe is described twice, for which it fires twice.
. "$(dirname "$0")/../lib.sh"

# groups PROGRAM: how the probes of its clauses are grouped, BEGIN left out.
groups() { "$DTX" -S plan -n "$1" -c true 2>/dev/null | grep -E '^ +clauses'; }
same '   clauses 0 on 3 probes' "$(groups 'syscall::getppid:entry, syscall::getpgid:entry, syscall::close:entry { @[probefunc, arg0] = count(); }')" 'one code'
same '   clauses 0 on 2 probes
   clauses 0 on 1 probe' "$(groups 'syscall::read:return, syscall::write:entry, syscall::write:return { @[probename, errno] = count(); }')" 'errno'
same '   clauses 0 on 1 probe
   clauses 0 on 1 probe' "$(groups 'syscall::close:entry, syscall::openat:entry { trace(args[0]); }')" 'types'
same '   clauses 0 0 on 1 probe
   clauses 0 on 1 probe' "$(groups 'syscall::getppid:entry, syscall::getp[pg]id:entry { @ = count(); }')" 'twice'

cat >"$tmp/x.d" <<'D'
syscall::getppid:entry, syscall::getpgid:entry, syscall::close:entry /pid == $target/ { @one[probefunc] = count(); }
syscall::getppid:entry, syscall::getp[pg]id:entry, syscall::sched_yield:entry /pid == $target/ { @two[probefunc] = count(); }
syscall::read:return, syscall::write:return, syscall::write:entry, syscall::sched_yield:return
/pid == $target/ { @three[probefunc, probename, errno, probename == "return" ? arg1 : arg2] = count(); }
END { printa("%s %@d\n", @one); printa("%s %@d\n", @two); printa("%s %s %d %d %@d\n", @three); }
D
dtx -qs "$tmp/x.d" -c "$t/syscalls"
same 'close 25
getpgid 50
getpgid 50
getppid 100
getppid 200
read return 9 -9 7
sched_yield 3
sched_yield return 0 0 3
write entry 0 5 10
write return 0 5 10' "$(grep . "$tmp/out" | sort)" 'counts'
