/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	this->p = alloca(100000);
}
