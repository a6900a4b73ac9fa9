#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf losetup
# where: guest
# timeout: 60
#
# Stable probes that are made of functions of the kernel where it has them: priorities, run queues, on-cpu, mutexes,
# waiting for a request.
# truth: io:::wait-start, wait-done, args[0]->b_bcount | the flush at the end of fsync | dd
. "$(dirname "$0")/../lib.sh"
modules loop

dd if=/dev/zero of="$tmp/image" bs=1M count=4 status=none
loop=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'losetup -d "$loop"; rm -rf "$tmp"' EXIT

cat >"$tmp/functions.d" <<-'END'
	#pragma D option quiet
	sched:::change-pri /pid == $target/ { printf("priority %d of %s\n", args[2], args[1]->pr_fname); }
	sched:::enqueue /args[1]->pr_pid == $target && args[2]->cpu_id >= 0/ { @n["enqueued"] = max(1); }
	sched:::dequeue /args[1]->pr_pid == $target && args[2]->cpu_id >= 0/ { @n["dequeued"] = max(1); }
	sched:::off-cpu /pid == $target/ { self->t = timestamp; }
	sched:::on-cpu /self->t/ { @n["slept"] = max(timestamp - self->t >= 250000000); self->t = 0; }
	lockstat:::adaptive-acquire /pid == $target && args[0] != NULL/ { @n["acquired"] = max(1); }
	lockstat:::adaptive-release /pid == $target && args[0] != NULL/ { @n["released"] = max(1); }
END
dtx -s "$tmp/functions.d" -c 'nice -n 5 sleep 0.3'
same 'priority 125 of nice
acquired 1
dequeued 1
enqueued 1
released 1
slept 1' "$(awk 'NF { $1 = $1; print }' "$tmp/out" | sort -k1,1 | sed -n '/^priority/p;')
$(awk 'NF == 2 { $1 = $1; print }' "$tmp/out" | sort)" "priority, run queues, mutexes"

# The flush at the end of fsync is waited for.
dtx -qn 'io:::wait-start, io:::wait-done /execname == "dd"/ { printf("%s %s %d\n", probename, args[1]->dev_statname, args[0]->b_bcount); }' \
	-c "dd if=/dev/zero of=$loop bs=4k count=1 conv=fsync status=none"
same "wait-start ${loop#/dev/} 0
wait-done ${loop#/dev/} 0" "$(grep . "$tmp/out")" "the flush that is waited for"
