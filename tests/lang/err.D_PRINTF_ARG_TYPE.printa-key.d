// SPDX-License-Identifier: BSD-2-Clause
BEGIN { @x[1] = count(); }
END { printa("%s %@d", @x); }
