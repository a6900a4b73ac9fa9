// SPDX-License-Identifier: BSD-2-Clause
#pragma D option bufpolicy
BEGIN { }
