// SPDX-License-Identifier: BSD-2-Clause
#pragma D nowhere
BEGIN { }
