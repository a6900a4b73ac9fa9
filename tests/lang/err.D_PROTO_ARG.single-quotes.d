// SPDX-License-Identifier: BSD-2-Clause
BEGIN { printf('hi %d', 1); }
