/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = count(); trunc(@a, 1, 2);
}
