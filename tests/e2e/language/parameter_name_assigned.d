/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -w
/* In a body the name of a parameter may be given to a variable of the program, as in scripts that
 * know of no names; from then on it is the variable, and args.NAME the parameter. */
syscall::kill:entry /ppid == $pid/ { sig = 70; printf("%d %d\n", sig, args.sig); }
syscall::kill:return /ppid == $pid/ { printf("%d\n", sig); exit(0); }
BEGIN { system("kill -0 $$"); }
