/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	commit(1); speculate(2);
}
