/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.21
/* if/else, an extension: nested, else if, blocks, one record. */
#pragma D option quiet
BEGIN
{
	x = 5;
	if (x > 3) {
		printf("big\n");
		if (x == 5)
			printf("five\n");
	} else
		printf("small\n");
	if (x == 1)
		printf("one\n");
	else if (x == 5) {
		y = 7;
		printf("still five\n");
	} else
		printf("other\n");
	printf("y %d\n", y);
	exit(0);
}
