// SPDX-License-Identifier: BSD-2-Clause
// Probe descriptions in both spellings, lists, predicates and their slashes.
BEGIN { }
dtrace:::END, ERROR { }
syscall::read:entry, syscall::write*:return /pid == 1/ { }
fbt:vmlinux:tcp_[!a-c]*:entry { }
:::open? { }
vfs_read { }
profile-997 { }
tick-1s { }
kprobe:vfs_read, kretprobe:vfs_read { }
tracepoint:sched:sched_switch { }
profile:hz:99, interval:s:1 { }
uprobe:/bin/bash:readline { }
uprobe:"/opt/a b/c":main+0x1c { }
uretprobe:libc:malloc /arg0/ { }
usdt:/usr/bin/x:prov:name{ }
42 { }
BEGIN /a / b/ { }
BEGIN /a/ /* end */ { }
BEGIN /a/ // end
{ }
BEGIN /a//* end */ { }
BEGIN /a && // first
	b/ { }
BEGIN/(a / b) / c/{ }
BEGIN
/
	a
/
{
}
