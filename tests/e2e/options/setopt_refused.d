/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* What cannot be set is told with its name, its value and the reason. */
BEGIN { setopt("strsize", "3"); setopt("nosuch"); setopt("switchrat", "1"); setopt("quiet", "maybe");
	setopt("switchrate"); exit(0); }
