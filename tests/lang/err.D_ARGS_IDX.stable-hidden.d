/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments that translators of tcp use are not the program's. */
tcp:::send
{
	trace(args[8] != NULL);
}
