#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A path of more names than dtx follows begins with "...": without it, it would be the path of another file.
# needs: root
. "$(dirname "$0")/../lib.sh"
mkdir "$tmp/deep" && top=$(realpath "$tmp/deep") || fail mkdir
path=$top
names=$(tr -cd / <<<"$top" | wc -c)
for ((i = names + 1; i <= 140; i++)); do
	path+=/n$i
done
mkdir -p "$path"
shown() { # FOLDER
	dtx -q -x strsize=1024 -n 'syscall::chdir:return /pid == $target/ { printf("%s\n", cwd); }' -c "env -C $1 true"
	head -n 1 "$tmp/out"
}
want=${path%%/n129*}
same "$want" "$(shown "$want")" 'a path of 128 names'
got=$(shown "$path")
case $got in
.../n*) [[ $path == *"${got#...}" ]] || fail "no end of the path: $got" ;;
*) fail "140 names: $got" ;;
esac
