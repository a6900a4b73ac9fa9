/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = lquantize(1, 10000000000, 100);
}
