/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = lquantize(1, 1, 1000000, 1000000);
}
