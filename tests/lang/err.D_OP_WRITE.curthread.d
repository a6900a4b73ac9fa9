/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	curthread->pid = 1;
}
