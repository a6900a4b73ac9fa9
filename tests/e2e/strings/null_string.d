/* SPDX-License-Identifier: BSD-2-Clause */
/* A string that was not found is NULL, and stays so in every kind of variable. */
#pragma D option quiet
BEGIN
{
	printf("%d ", (this->s = strchr("abc", 'z')) == NULL);
	printf("%d ", this->s == NULL);
	this->s = strchr("abc", 'b');
	printf("%d\n", this->s == NULL);
	g = strstr("abc", "q");
	printf("%d ", g == NULL);
	g = "";
	printf("%d ", g == NULL);
	g = "x";
	printf("%d\n", g == NULL);
	self->t = "x";
	self->t = strrchr("abc", 'q');
	printf("%d ", self->t == NULL);
	self->t = "";
	printf("%d ", self->t == NULL);
	self->t = 0;
	printf("%d\n", self->t == NULL);
	a["k"] = "x";
	a["k"] = strtok(",", ",");
	printf("%d ", a["k"] == NULL);
	a["k"] = "";
	printf("%d\n", a["k"] == NULL);
}
BEGIN { printf("%d\n", strlen(strchr("abc", 'z'))); }
BEGIN { printf("%s\n", basename(NULL)); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
