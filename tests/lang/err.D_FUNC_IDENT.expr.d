/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	(foo)(1);
}
