# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp is of lib.sh
#
# A disk of 16 MB of our own, $disk, for the tests here that do I/O. Sourced, after lib.sh.
modules loop
truncate -s 16M "$tmp/image"
disk=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'losetup -d "$disk"; rm -rf "$tmp"' EXIT
