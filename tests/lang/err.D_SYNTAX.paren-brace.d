// SPDX-License-Identifier: BSD-2-Clause
BEGIN { printf("%s\n", copyinstr(arg0) }
