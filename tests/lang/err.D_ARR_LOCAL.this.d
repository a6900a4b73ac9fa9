/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	this->x[1] = 2;
}
