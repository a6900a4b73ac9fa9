/* SPDX-License-Identifier: BSD-2-Clause */
/* where: native */
/* trigger: threads 8 1000000 syscall */
/* timeout: 60 */
/* The same with a system call, with a key, and with a sum that shows that each call was seen once. */
syscall::getpgid:entry
/pid == $target/
{
	@calls = count();
	@[execname] = count();
	@arguments = sum(arg0);
}
