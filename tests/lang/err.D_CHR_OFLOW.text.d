// SPDX-License-Identifier: BSD-2-Clause
BEGIN { printf('hello world %d', 1); }
