# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Bare Debian systems to run tests in: for tests/debian and tests/packages. Sourced; die() and say() are the caller's.
#
# The archive is the one this machine's apt reads, with its Acquire settings (a proxy, say), hosts
# and resolver. Mounts are private to the processes of the run: nothing of them is left behind.

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# suite_of RELEASE: its name in the archive.
suite_of() {
	case $1 in
	12) echo bookworm ;;
	13) echo trixie ;;
	*)  die "unknown release $1; there are 12 and 13" ;;
	esac
}

# make_root SUITE FOLDER PACKAGES: a minimal system in FOLDER/root, with some packages more.
make_root() {
	local suite=$1 folder=$2 mirror
	command -v debootstrap >/dev/null || die "debootstrap is not here: make deps"
	mirror=$("$here/mirror")
	say "making a bare $suite in $folder/root"
	rm -rf "$folder/root"
	mkdir -p "$folder"
	debootstrap --variant=minbase --include="$3" \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg "$suite" "$folder/root" "$mirror" \
		>"$folder/log" 2>&1 || die "debootstrap failed: $(tail -n 3 "$folder/log")"
}

# connect ROOT: it reaches the archive as this machine does.
connect() {
	cp -L /etc/hosts /etc/resolv.conf "$1/etc/"
	apt-config dump | grep -E '^Acquire::' >"$1/etc/apt/apt.conf.d/99host" || true
}

# enter [-o] ROOT COMMAND…: run it with ROOT as the root of a mount namespace of its own, not merely as a
# changed root: paths that the kernel tells, and unshare --mount, are then as on a real system.
# -o: on a copy, in memory; what the command changes is gone when it ends.
# shellcheck disable=SC2016 # the words are the inner shells'
enter() {
	local over=
	if [ "$1" = -o ]; then over=1; shift; fi
	OVER=$over unshare --mount --propagation private bash -euc '
		root=$1; shift
		if [ -n "$OVER" ]; then
			mount -t tmpfs tmpfs /mnt
			mkdir /mnt/upper /mnt/work /mnt/root
			mount -t overlay -o "lowerdir=$root,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root
			root=/mnt/root
		else
			mount --bind "$root" "$root"
		fi
		cd "$root"
		mount --rbind /dev dev
		mount --rbind /sys sys
		mount --rbind /proc proc
		for folder in run tmp; do mount -t tmpfs -o mode=1777 tmpfs $folder; done
		pivot_root . mnt
		exec chroot . /bin/sh -c "umount -l /mnt; exec \"\$@\"" - "$@"' - "$@"
}

# settings[]: the environment of commands in a root.
settings=(HOME=/root "TERM=${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
for name in http_proxy https_proxy no_proxy; do
	if [ -n "${!name:-}" ]; then settings+=("$name=${!name}"); fi
done
