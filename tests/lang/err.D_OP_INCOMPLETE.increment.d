/* SPDX-License-Identifier: BSD-2-Clause */
struct nobody_defines_this *p;
BEGIN
{
	p++;
}
