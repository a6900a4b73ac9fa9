/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = count(); x = 1 + @a;
}
