/* SPDX-License-Identifier: BSD-2-Clause */
/* Assigning 0 deletes an element; it reads as zero and can be stored again. */
#pragma D option quiet
BEGIN
{
	a[1] = 10; a[2] = 20; s["k"] = "text"; self->b["x"] = 5;
	a[1] = 0;
	s["k"] = 0;
	self->b["x"] = 0;
	printf("%d %d [%d] %d\n", a[1], a[2], s["k"] == NULL, self->b["x"]);
	a[1] = 11;
	s["k"] = "again";
	self->b["x"] += 6;
	printf("%d %d %s %d\n", a[1], a[2], s["k"], self->b["x"]);
	exit(0);
}
