/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@b = llquantize(1, 10, 0, 20, 10);
}
