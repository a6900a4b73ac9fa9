// SPDX-License-Identifier: BSD-2-Clause
// Macro variables and operands.
// args: 5 +7 name some.text 1s
BEGIN, pid$target:::entry, tick-$5, profile-$1hz
{
	$1; $2; $3; $4; $5; $$1; $$3; $$5;
	self->$3; x.$3;
	$target; $$target;
}
