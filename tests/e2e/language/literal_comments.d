/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.2
/* Comments between any tokens, a backslash before a newline, empty statements. */
#pragma D option quiet
BEGIN /* one */ { /* two */
	/* three
	 * lines */
	x /* four */ = /* five */ 3 /* six */;
	;;
	y = 4 + \
	    5;
	// a comment to the end of the line
	printf("%d %d /* kept */ // kept\n", x, y); // another
	exit(0)
}
