/* SPDX-License-Identifier: BSD-2-Clause */
#pragma D option destructive

BEGIN
{
	speculate(1); raise(1);
}
