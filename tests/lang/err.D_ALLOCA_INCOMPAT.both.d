/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	this->p = (int *)alloca(8);
	this->p = (int *)curthread;
}
