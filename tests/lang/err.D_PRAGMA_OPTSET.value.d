// SPDX-License-Identifier: BSD-2-Clause
#pragma D option bufsize=many
BEGIN { }
