/* SPDX-License-Identifier: BSD-2-Clause */
/* In non-quiet mode printa follows the columns. */
/* filter: cpu */
BEGIN { @["x"] = count(); printa(@); printa("%s %@d", @); exit(0); }
