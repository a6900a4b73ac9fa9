/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* trigger: sleeper 3500 1 */
/* Printing each second and clearing: the one call is in the first print and not in the second. */
syscall::clock_nanosleep:entry
/pid == $target/
{
	@naps = count();
}

tick-1s
{
	printa(@naps);
	clear(@naps);
	n++;
}

tick-1s
/n == 2/
{
	exit(0);
}
