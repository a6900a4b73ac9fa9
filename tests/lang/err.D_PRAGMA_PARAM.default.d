// SPDX-License-Identifier: BSD-2-Clause
#pragma D param every time soon "how often"
BEGIN { }
