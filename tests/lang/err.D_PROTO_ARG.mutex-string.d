/* SPDX-License-Identifier: BSD-2-Clause */
/* A string is no lock. */
BEGIN
{
	trace(mutex_type_spin("lock"));
	exit(0);
}
