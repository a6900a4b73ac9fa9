// SPDX-License-Identifier: BSD-2-Clause
// args: KILL
BEGIN { trace($1 + 1); }
