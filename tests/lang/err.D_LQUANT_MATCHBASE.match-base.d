/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = lquantize(1, 1, 100); @a = lquantize(1, 2, 100);
}
