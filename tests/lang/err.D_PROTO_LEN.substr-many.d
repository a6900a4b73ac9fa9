/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	trace(substr("a",1,2,3));
}
