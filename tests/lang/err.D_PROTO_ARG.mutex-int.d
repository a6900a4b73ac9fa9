/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock is given by its address, which has a pointer type. */
BEGIN
{
	trace(mutex_owned(99));
	exit(0);
}
