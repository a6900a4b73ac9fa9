// SPDX-License-Identifier: BSD-2-Clause
BEGIN
{
	normalize(max(1), 2);
}
