/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; }; translator struct o < int t > { p = t; };

BEGIN
{
	trace(xlate <struct o>(1));
}
