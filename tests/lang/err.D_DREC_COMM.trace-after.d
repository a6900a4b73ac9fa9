/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	commit(1); trace(2);
}
