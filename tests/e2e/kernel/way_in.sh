#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# truth: arguments that are pointers to functions | func(arg1) of call_rcu, by fbt | rawfbt of the same function
# truth: results that are structs of 4 and 16 bytes | retval.val, retval.tv_sec | rawfbt of the same function
#
# Functions that the kernel's trampolines do not serve, or give not all arguments of, are probed by kprobes: with pointers
# to functions or to pointers among their parameters, or a struct as their result.
. "$(dirname "$0")/../lib.sh"

# rcu_callbacks: the same callbacks by both, which are names of functions.
busy='bash -c "for ((i = 0; i < 60; i++)); do (:); done; cat /proc/self/status"'
dtx -qn 'fbt::call_rcu:entry { @f[func(arg1)] = count(); @typed[func((uintptr_t)args.func)] = count(); } rawfbt::call_rcu:entry { @r[func(arg1)] = count(); }
	END { printa("f %a %@d\n", @f); printa("t %a %@d\n", @typed); printa("r %a %@d\n", @r); }' -c "$busy"
grep -q '^f vmlinux`[a-z_]*rcu' "$tmp/out" || fail "no callback: $(cat "$tmp/out" "$tmp/err")"
for one in t r; do
	same "$(sed -n 's/^f //p' "$tmp/out" | sort)" "$(sed -n "s/^$one //p" "$tmp/out" | sort)" "callbacks of call_rcu, $one"
done

# Each function of these that this kernel has, with all arguments read: it is attached.
for f in call_rcu call_srcu request_threaded_irq smp_call_function_single on_each_cpu_cond_mask iterate_supers sort strsep vfs_getxattr_alloc \
	queue_delayed_work_on get_user_pages_fast kernel_read; do
	grep -qx "$f" /sys/kernel/tracing/available_filter_functions || continue
	echo "fbt::$f:entry { @[arg0, arg1, arg2] = count(); } fbt::$f:return { @r[arg1] = count(); }"
done >"$tmp/all.d"
echo 'tick-100ms { exit(0); }' >>"$tmp/all.d"
dtx -qs "$tmp/all.d"
# Some have fewer arguments, which is told.
same '' "$(sed '/: arg[0-9] means nothing there$/,/= help:/d' "$tmp/err" | grep -vE '^ *$|links are being removed')" 'some are refused'

# Structs as results.
matches fbt::make_kuid:return && {
	dtx -qn 'fbt::make_kuid:entry { self->n = 1; @e = count(); } fbt::make_kuid:return /self->n/ { @f[retval.val] = count(); } rawfbt::make_kuid:return /self->n/ { @r[(uint32_t)arg1] = count(); }
		END { printa("f %d %@d\n", @f); printa("r %d %@d\n", @r); }' -c 'setpriv --reuid 4321 --clear-groups true'
	grep -q '^f 4321 ' "$tmp/out" || fail "make_kuid: $(cat "$tmp/out" "$tmp/err")"
	same "$(sed -n 's/^r //p' "$tmp/out" | sort)" "$(sed -n 's/^f //p' "$tmp/out" | sort)" 'results of make_kuid'
}
matches fbt::ns_to_timespec64:return && {
	dtx -qn 'fbt::ns_to_timespec64:entry { self->ns = (int64_t)arg0; } fbt::ns_to_timespec64:return /self->ns/ {
		n++; bad += retval.tv_sec * 1000000000 + retval.tv_nsec != self->ns; self->ns = 0; }
		END { printf("%d %d\n", n > 0, bad); }' -c 'bash -c "read -t 0.01 < <(sleep 1); date; kill -0 $$; time true"'
	grep -qE '^[01] 0$' "$tmp/out" || fail "ns_to_timespec64: $(cat "$tmp/out" "$tmp/err")"
}
exit 0
