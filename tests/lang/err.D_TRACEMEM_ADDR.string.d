/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	tracemem(execname, 10);
}
