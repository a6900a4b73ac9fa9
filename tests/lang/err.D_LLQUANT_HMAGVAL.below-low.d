/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@b = llquantize(1, 10, 8, 2, 10);
}
