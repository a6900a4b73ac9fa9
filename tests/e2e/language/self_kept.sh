#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 60
# truth: self-> variables | kept by each of 400 threads and processes, also over exec by any thread; nothing in a new one | the program
#
# self-> belongs to a thread, also elements of self->x[]: a new one has nothing, also if it has the number of one that ended; fork and vfork give nothing
# to the child; exec keeps it, also if another thread than the first one does it.
. "$(dirname "$0")/../lib.sh"
grep -q ' bpf_task_storage_get$' /proc/kallsyms || skip 'self-> belongs to the number of a thread here (docs/limits.md)'

cat >"$tmp/kept.d" <<-'END'
	#pragma D option quiet
	syscall::getpriority:entry /args[0] == 77/ { self->v = args[1]; self->a[1, "x"] = args[1]; @n["seen-keeps"] = count(); }
	syscall::getpriority:entry /args[0] == 78/ { @n["seen-asks"] = count(); }
	syscall::getpriority:entry /args[0] == 78 && self->v != args[1]/ { @wrong[self->v, args[1]] = count(); }
	syscall::getpriority:entry /args[0] == 78 && self->a[1, "x"] != args[1]/ { @wrong[self->a[1, "x"], args[1]] = count(); }
	END { printa("%s %@d\n", @n); printa("it has %d, not %d: %@d times\n", @wrong); }
END
strict=(-x strict)
! preempts || strict=()         # it skips firings, and says how many: what they would have set is not there
dtx "${strict[@]}" -s "$tmp/kept.d" -c "$t/kept"
! grep 'it has [^0]' "$tmp/out" || fail 'a thread has what another one has set'
lacks=$(awk '/it has/ { n += $(NF - 1) } END { print n + 0 }' "$tmp/out") unseen=$(($(value keeps) + $(value asks) - $(value seen-keeps) - $(value seen-asks)))
[ $unseen -ge 0 ] && [ $unseen -le "$(skipped)" ] || fail "$unseen calls of the program were not seen, and $(skipped) are told"
[ "$lacks" = 0 ] || [ "$(skipped)" -gt 0 ] || fail "a thread has not what it has set, $lacks times"
[ "$(value keeps)" -gt 300 ] || fail "the program did little: $(cat "$tmp/out")"
[ "$(value reused)" = 1 ] || [ ! -w /proc/sys/kernel/ns_last_pid ] || fail 'no number came twice'
