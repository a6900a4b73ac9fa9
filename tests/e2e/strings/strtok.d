/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strtok
/* strtok goes through a string; runs of delimiters count as one. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", strtok("/usr//lib/:bin", "/:"));
	printf("[%s]\n", strtok(NULL, "/:"));
	printf("[%s]\n", strtok(NULL, "/:"));
	printf("%d\n", strtok(NULL, "/:") == NULL);
	printf("[%s]\n", strtok("one two,three", " "));
	printf("[%s]\n", strtok(0, ","));
	printf("[%s]\n", strtok(NULL, ","));
	exit(0);
}
