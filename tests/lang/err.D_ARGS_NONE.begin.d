/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	trace(args[0]);
}
