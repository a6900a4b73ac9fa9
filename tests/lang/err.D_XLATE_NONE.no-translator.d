/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; };

BEGIN
{
	trace(xlate <struct o>(curthread).p);
}
