/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	x = "a"; x = 5;
}
