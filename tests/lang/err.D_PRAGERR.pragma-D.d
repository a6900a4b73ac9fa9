// SPDX-License-Identifier: BSD-2-Clause
#pragma D error not on this machine
BEGIN { }
