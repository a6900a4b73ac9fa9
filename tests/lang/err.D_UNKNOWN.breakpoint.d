/* SPDX-License-Identifier: BSD-2-Clause */
/* What no BPF program may do is refused. */
#pragma D option destructive
BEGIN
{
	breakpoint();
	exit(0);
}
