/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	ustack(1, 2, 3);
}
