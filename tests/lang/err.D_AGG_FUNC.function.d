/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	@a = strlen("a");
}
