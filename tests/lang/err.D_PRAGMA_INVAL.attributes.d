// SPDX-License-Identifier: BSD-2-Clause
#pragma D attributes Good/Good/Common x
BEGIN { }
