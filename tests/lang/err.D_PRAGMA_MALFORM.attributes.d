// SPDX-License-Identifier: BSD-2-Clause
#pragma D attributes Stable/Stable/Common
BEGIN { }
