#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf chrt
# where: guest
# timeout: 60
#
# sched:::enqueue: a thread that lowers its priority of real time goes to the head of its queue, one that raises it to the
# end.
# truth: sched:::enqueue, args[3] | head or end of the queue | chrt
. "$(dirname "$0")/../lib.sh"

dtx -qn 'sched:::enqueue /args[1]->pr_pid == $target && args[0]->pr_pri < 100/ { @[args[0]->pr_pri] = max(args[3] != 0); }
	END { printa("%d %@d\n", @); }' -c 'chrt -f 20 chrt -f 10 chrt -f 30 true'
same '69 0
79 0
89 1' "$(grep . "$tmp/out" | sort)" "the head of the queue"
