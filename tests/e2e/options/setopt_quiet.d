/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.setopt opt.quiet
// run: -x cpu=0
/* Without quiet: the header once, the columns of each record.  An option changes where the action stands in
 * its record: the columns in front of it are printed already, the end of the line is not. */
BEGIN { trace(1); }
BEGIN { setopt("quiet"); printf("quiet now\n"); }
BEGIN { trace("no columns"); setopt("quiet", "off"); exit(0); }
