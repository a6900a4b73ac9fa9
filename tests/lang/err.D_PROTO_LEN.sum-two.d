/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = sum(1, 2);
}
