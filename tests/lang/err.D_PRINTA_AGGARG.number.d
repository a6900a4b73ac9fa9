/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	printa(10);
}
