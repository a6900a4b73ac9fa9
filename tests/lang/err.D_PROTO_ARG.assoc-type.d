/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	x[1] = 2; x["a"] = 3;
}
