/* SPDX-License-Identifier: BSD-2-Clause */
/* What strchr, strrchr and strstr do not find compares equal to NULL. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", strchr("abc", 'z') == NULL, strrchr("abc", 'z') == NULL, strstr("abc", "zz") == NULL);
	printf("%d %d %d\n", strchr("abc", 'b') == NULL, strrchr("abc", 'b') != NULL, strstr("abc", "bc") != NULL);
	printf("%d %d\n", strchr("", 'a') == NULL, strstr("", "a") == 0);
	exit(0);
}
BEGIN /strstr(probename, "GIN") != NULL/ { }
