/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = lquantize(1, 1, pid);
}
