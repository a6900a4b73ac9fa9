/* SPDX-License-Identifier: BSD-2-Clause */
#pragma D depends_on module nosuchmodule
BEGIN { exit(0); }
