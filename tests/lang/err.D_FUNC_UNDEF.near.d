/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	prinft("%d", 1);
}
