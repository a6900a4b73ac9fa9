/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@b = llquantize(1, 1, 0, 20, 10);
}
