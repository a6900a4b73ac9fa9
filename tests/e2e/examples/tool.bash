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
#
# DTX_SELECT=-p, --cgroup, -c or -n: each tool runs while a stranger does the same beside the load, and selects the load by that. What
# it says must be the same: selections.sh runs all tests so. With "none" nothing is selected, and tests see the stranger.
. "$(dirname "$0")/../lib.sh"
chosen=${DTX_SELECT:-}

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

# choose COMMAND: it is the load that is selected; `command` and `before` are what dtx is given. A stranger is beside it, in a folder and
# with a network of its own. Both begin when the tool traces.
choose() {
	local of=$tmp/selected
	rm -rf "$of"; mkdir "$of"
	mkfifo "$of/begun" "$of/started" && exec 7<>"$of/begun" 8<>"$of/started"
	preloaded
	with=(env "LD_PRELOAD=$tmp/chosen.so" DTX_CHOSEN=-)
	# dtx -c may trace the load for a while: it is "t" then, stopped or not.
	printf '%s\n' "echo >$of/begun; read -r _ <$of/started" \
		"for ((n = 0; n < 10; n++)); do if grep -q '^State:.[Tt]' /proc/\$1/status; then n=0; kill -CONT \$1; fi; sleep 0.01; done" >"$of/release"
	before=(-x argref -w -n "BEGIN { system(\"bash $of/release %d &\", \$target); }") command=(-c "$1")
	strange "$1" "$of"
	printf '%s\n' "$chosen" >>"${DTX_CHOICES:-/dev/null}"
	case $chosen in
	-c) command=(--follow -c "$1") ;;
	-p)
		"${with[@]}" $1 >>"$tmp/out" 2>/dev/null &
		command=(-p $! --follow) ;;
	--cgroup)
		group=$(findmnt -nt cgroup2 -o TARGET | head -n 1)/dtx-chosen-$$
		mkdir -p "$group" 2>/dev/null || skip 'no control groups here'
		with[2]=DTX_CHOSEN=$group/cgroup.procs
		command+=(--cgroup "$group") ;;
	esac
}

# preloaded: chosen.so: the program that begins with it goes into a control group, and stops; dtx and what it starts at BEGIN do not.
preloaded() {
	[ ! -e "$tmp/chosen.so" ] || return 0
	gcc -shared -fPIC -x c -o "$tmp/chosen.so" - <<-'END' || fail 'no chosen.so'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <fcntl.h>
		#include <signal.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>
		static void gone(const char *name) /* bash has an unsetenv of its own */
		{
			char **v = environ, **kept = environ;
			for (; *v; v++)
				if (strncmp(*v, name, strlen(name)))
					*kept++ = *v;
			*kept = NULL;
		}
		static void chosen(void)
		{
			const char *how = getenv("DTX_CHOSEN");
			int fd;
			char line[4096] = "";
			if (!how || !strncmp(program_invocation_short_name, "dtx", 3))
				return;
			if ((fd = open("/proc/self/cmdline", O_RDONLY)) >= 0 && read(fd, line, sizeof(line)) > 0)
				close(fd);
			gone("LD_PRELOAD=");
			gone("DTX_CHOSEN=");
			if (memmem(line, sizeof(line), "/release", 8)) /* the command of BEGIN */
				return;
			if (*how == '/' && ((fd = open(how, O_WRONLY)) < 0 || write(fd, "0", 1) != 1 || close(fd)))
				_exit(9);
			raise(SIGSTOP);
		}
		typedef void none(void);
		typedef int begin(int (*)(int, char **, char **), int, char **, none *, none *, none *, void *);
		int __libc_start_main(int (*f)(int, char **, char **), int n, char **v, none *a, none *b, none *c, void *end)
		{
			chosen(); /* not before: dtx -c lets the program go when it comes to its first instruction */
			return ((begin *)dlsym(RTLD_NEXT, "__libc_start_main"))(f, n, v, a, b, c, end);
		}
	END
}

# strange COMMAND FOLDER: the stranger does the same, with files of its own; with -n the program of this name has another one.
strange() {
	local dir=$2/strange names=(-e "s,$tmp,$2/strange,g")
	[ "$chosen" != -n ] || names+=(-e "s,\b$named\b,stranger,g")
	mkdir "$dir"
	find "$tmp" -mindepth 1 -maxdepth 1 ! -name selected ! -name out ! -name err -exec cp -a {} "$dir" \;
	if [ "$chosen" = -n ]; then mv "$dir/$named" "$dir/stranger"; fi
	sed -i "${names[@]}" "$dir"/load "$dir"/script 2>/dev/null
	unshare -n bash -c "ip link set lo up; read -r _ <$2/begun; echo >$2/started
		exec $(sed "${names[@]}" <<<"$1")" >/dev/null 2>&1 7<&- 8<&- &
	stranger=$!
}

# unchosen: the stranger has ended, and the control group is gone.
unchosen() {
	exec 7<&- 8<&-
	wait "$stranger"
	stranger=
	if [ -n "${group:-}" ]; then rmdir "$group"; group=; fi
	[ "$chosen" = none ] || ! grep -E 'this clause( and .*)? runs? only if' "$tmp/err" || { echo 'warned'; exit 78; }
}
stranger=

# named TOOL ARG…: the tool selects by the name of a program of the load: $named.
named() {
	named=
	while [ $# != 0 ]; do
		if [ "$1" = -n ]; then named=$2; fi
		shift
	done
	[ -e "$tmp/$named" ] && [ "$named" ]
}

# A tool says nothing on standard error, but why it is empty, what the kernel skipped or cannot probe, what a probe costs, or what the load says.
tool() {
	local command=("-c" "${run:-bash $tmp/load}") before=() with=()
	: >"$tmp/out"
	if [ -n "$chosen" ] && { [ "$chosen" != -n ] || named "$@"; }; then choose "${run:-bash $tmp/load}"; fi
	"${with[@]}" "$DTX" -q "${before[@]}" -s "examples/$1.d" "${@:2}" "${command[@]}" >>"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp"/{out,err})"
	[ -z "$stranger" ] || unchosen
	sed -i '${/^$/d}' "$tmp/out"     # the empty line at the end of a run
	! grep '^[^ ].*\.d:[0-9]*:[0-9]*: warning: ' "$tmp/err" | grep -v 'not probed' || fail 'a tool that is warned of'
	! grep '^dtx: ' "$tmp/err" | grep -vE 'nothing was traced|help: (the program did not|what it waits|see what there is|only what)|skipped by the kernel|warning: not probed|help: rawfbt probes them|are being removed by the kernel|takes [0-9]+% of a CPU' || fail 'messages of dtx'
}

# rows AWK: what an awk program prints for the output.
rows() { awk "$1" "$tmp/out"; }

# heading TEXT: the first line, with blanks as one.
heading() { same "$1" "$(head -n 1 "$tmp/out" | tr -s ' ' | sed 's/^ //')" 'another heading'; }
