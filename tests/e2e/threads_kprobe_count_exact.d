/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: kprobes */
/* trigger: threads 8 20000 syscall */
/* timeout: 60 */
/* The same with a kernel function, slower, in the guests. */
fbt::__x64_sys_getpgid:entry
/pid == $target/
{
	@ = count();
}
