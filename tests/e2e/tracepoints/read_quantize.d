/* SPDX-License-Identifier: BSD-2-Clause */
/* trigger: reads 0:1 1:3 5:4 64:2 100:5 1000:6 */
/* Buckets and layout of quantize, by known reads. */
syscall::read:entry
/pid == $target && execname == "known-reads"/
{
	@[execname] = quantize(arg2);
}
