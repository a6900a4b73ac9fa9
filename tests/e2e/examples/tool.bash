# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the tests of the tools share. Sourced: . "$(dirname "$0")/tool.bash"
#
#     load <<'END'                    a known load: a bash script
#     commands
#     END
#     tool NAME ARG…                  examples/NAME.d while the load runs; the output is in $tmp/out
#     run='COMMAND' tool NAME ARG…    while a command runs: probes of user functions are in it alone
#     same 'EXPECTED' "$(rows AWK)"
. "$(dirname "$0")/../lib.sh"

# own PROGRAM NAME: a program under a name of its own, so that nothing else has it: $tmp/NAME.
own() { cp "$(type -P "$1" || echo "$t/$1")" "$tmp/$2"; }

load() { { echo "t=$(readlink -f "$t") tmp=$tmp; cd $tmp"; declare -f uncached; cat; } >"$tmp/load"; }
# uncached FILE: take it out of the cache. All of the cache would take the programs out, too, which are then read and translated anew.
uncached() { dd if="$1" iflag=nocache count=0 status=none; }

# file_on_disk: $tmp/file, 512 KiB, lies on a disk and is not in the cache, for direct reads.
file_on_disk() {
	[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
	dd if=/dev/zero of="$tmp/file" bs=64k count=8 oflag=direct status=none 2>/dev/null || skip "no direct writes in $tmp"
}

# limited LIMIT <<'END': the load is these commands in a control group with so many bytes of memory; where there is none for memory,
# they do not run.
limited() {
	{
		cat <<-'END'
			group() { # LIMIT: this shell goes into a new control group
				local dir
				for dir in /sys/fs/cgroup/memory /sys/fs/cgroup/unified /sys/fs/cgroup; do
					[ -e $dir/memory.limit_in_bytes ] || grep -qw memory $dir/cgroup.controllers 2>/dev/null || continue
					grep -qw memory $dir/cgroup.subtree_control 2>/dev/null || echo +memory 2>/dev/null >$dir/cgroup.subtree_control
					mkdir -p $dir/dtx-tool-$$ 2>/dev/null || continue
					echo $dir/dtx-tool-$$ >group
					{ echo "$1" >$dir/dtx-tool-$$/memory.limit_in_bytes || echo "$1" >$dir/dtx-tool-$$/memory.max; } 2>/dev/null
					echo 0 2>/dev/null >$dir/dtx-tool-$$/memory.swap.max
					echo $$ 2>/dev/null >$dir/dtx-tool-$$/cgroup.procs && return
				done
				return 1
			}
		END
		echo "group $1 || exit 0"
		cat
	} >"$tmp/limited"
	load <<-'END'
		bash ./limited 2>/dev/null
		sleep 0.05
		[ ! -e group ] || rmdir "$(cat group)" 2>/dev/null
		:
	END
}

# swapping: the load is "known", which uses 24 MB where it may have 16 MB, and then reads all of it again: 6000 is in $tmp/sum. The
# kernel's counts of pages are in $tmp/before and $tmp/after, if there is a control group for memory.
swapping() {
	modules loop
	truncate -s 64M "$tmp/swap"
	mkswap -q "$tmp/swap" || skip 'no swap here'
	device=$(losetup -f --show "$tmp/swap") || skip 'no loop devices here'
	trap 'swapoff "$device"; losetup -d "$device"; rm -rf "$tmp"' EXIT
	swapon "$device" || skip 'no swap in this kernel'
	own python3 known
	cat >"$tmp/pages.py" <<-'END'
	import mmap
	memory = mmap.mmap(-1, 6000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
	for i in range(6000):
	    memory[i * 4096] = 1
	print(sum(memory[i * 4096] for i in range(6000)))
	END
	limited 16000000 <<-'END'
	echo max >"$(cat group)/memory.swap.max"
	grep pswp /proc/vmstat >before
	./known pages.py >sum
	grep pswp /proc/vmstat >after
	END
}

# late_writer: the load is "reader", which waits 0.2 s for the line that "writer" puts into a pipe.
late_writer() {
	own cat reader
	own bash writer
	echo 'sleep 0.2; echo one' >"$tmp/write"
	load <<<'./writer ./write | ./reader'
}

# filesystem KIND SIZE MODULE…: a file system of that kind is mounted on $tmp/disk.
filesystem() {
	modules loop "${@:3}" "$1" 2>/dev/null
	type -P "mkfs.$1" >/dev/null || skip "no mkfs.$1 here"
	truncate -s "$2" "$tmp/image"
	"mkfs.$1" -q "$tmp/image" >/dev/null 2>&1 || skip "mkfs.$1 fails here"
	mkdir "$tmp/disk"
	mount -o loop "$tmp/image" "$tmp/disk" 2>/dev/null || skip "no $1 in this kernel"
	trap 'umount "$tmp/disk"; rm -rf "$tmp"' EXIT
}

# A tool says nothing on standard error, but why it is empty, what the kernel skipped or cannot probe, what a probe costs, or what the load says.
tool() {
	"$DTX" -qs "examples/$1.d" "${@:2}" -c "${run:-bash $tmp/load}" >"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp"/{out,err})"
	sed -i '${/^$/d}' "$tmp/out"     # the empty line at the end of a run
	! grep '^[^ ].*\.d:[0-9]*:[0-9]*: warning: ' "$tmp/err" | grep -v 'not probed' || fail 'a tool that is warned of'
	! grep '^dtx: ' "$tmp/err" | grep -vE 'nothing was traced|help: (the program did not|what it waits|see what there is|only what)|skipped by the kernel|warning: not probed|help: rawfbt probes them|are being removed by the kernel|takes [0-9]+% of a CPU' || fail 'messages of dtx'
}

# rows AWK: what an awk program prints for the output.
rows() { awk "$1" "$tmp/out"; }

# heading TEXT: the first line, with blanks as one.
heading() { same "$1" "$(head -n 1 "$tmp/out" | tr -s ' ' | sed 's/^ //')" 'another heading'; }
