/* SPDX-License-Identifier: BSD-2-Clause */
/* strtok of no delimiters, only delimiters, the empty string. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", strtok("whole", ","));
	printf("%d\n", strtok(NULL, ",") == NULL);
	printf("%d\n", strtok(",,,", ",") == NULL);
	printf("%d\n", strtok("", ",") == NULL);
	printf("[%s]\n", strtok("a b", ""));
	s = "x=1;y=2";
	this->t = strtok(s, ";");
	printf("[%s] [%s] [%s]\n", this->t, strtok(NULL, ";"), s);
	exit(0);
}
