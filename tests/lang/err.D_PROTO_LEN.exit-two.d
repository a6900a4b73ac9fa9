/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	exit(1,2);
}
