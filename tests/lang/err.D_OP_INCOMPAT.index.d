/* SPDX-License-Identifier: BSD-2-Clause */
/* a[b] is *(a + b): what cannot be added is no index. */
int v[3];
BEGIN
{
	x = v["a"];
}
