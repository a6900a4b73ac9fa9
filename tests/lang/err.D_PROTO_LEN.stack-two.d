/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	stack(1,2);
}
