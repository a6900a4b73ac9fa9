// SPDX-License-Identifier: BSD-2-Clause
// row: lang.2.4
// run: -q
// Numbers of the tool itself: $pid, $uid, $gid, $euid, $egid, $$pid.
BEGIN { printf("%d %d %d %d\n", $pid == pid, $uid == uid, $gid == gid, strlen($$pid) > 0); printf("%d %d %d\n", $euid == $uid, $egid == $gid, $target); exit(0); }
