/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = quantize(1, 2, 3);
}
