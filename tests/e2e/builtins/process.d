/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.cwd sub.d_path sub.progenyof
/* Paths of the process, its ancestors, time since the start. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", cwd == d_path(&curthread->fs->pwd), strlen(cwd) > 0, root == "/");
	printf("%d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(1 << 30));
	printf("%d %d\n", elapsed < 60000000000, index(cwd, "/"));
	exit(0);
}
