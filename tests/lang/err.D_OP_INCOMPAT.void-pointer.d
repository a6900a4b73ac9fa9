/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	this->p = (void *)0; this->q = this->p + 1;
}
