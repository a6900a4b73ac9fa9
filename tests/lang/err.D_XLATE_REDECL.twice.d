/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; }; translator struct o < int t > { p = t; }; translator struct o < int t > { p = t; };

BEGIN
{
	exit(0);
}
