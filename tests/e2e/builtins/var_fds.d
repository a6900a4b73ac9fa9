/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.fds names.io
/* fds[n]: what the library tells of an open file of the process. */
// run: -c 'dd if=/dev/zero of=/dev/null count=1 bs=512 status=none'
#pragma D option quiet
syscall::write:entry /pid == $target && arg2 == 512/
{
	printf("%s %s %s\n", fds[arg0].fi_name, fds[arg0].fi_dirname, fds[arg0].fi_pathname);
	printf("%d %d\n", fds[arg0].fi_oflags & O_ACCMODE, fds[arg0].fi_offset);
	printf("%s %d\n", fds[0].fi_pathname, (fds[0].fi_oflags & O_ACCMODE) == O_RDONLY);
	exit(0);
}
