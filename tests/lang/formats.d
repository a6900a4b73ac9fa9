/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@seen[execname, 1, stack(2)] = quantize(1);
	printf("%-*s|%5.2d|%%|%#x|%c", 10, execname, 7, pid, 'a');
	printa("%s %d %k %@d\n", @seen);
	trunc(@seen, 5);
	normalize(@seen, pid);
	setopt("quiet");
	exit(0);
}
