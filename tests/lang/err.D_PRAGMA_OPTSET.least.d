// SPDX-License-Identifier: BSD-2-Clause
#pragma D option strsize=1
BEGIN { }
