// SPDX-License-Identifier: BSD-2-Clause
BEGIN
{
	trunc(sum(1), 2);
}
