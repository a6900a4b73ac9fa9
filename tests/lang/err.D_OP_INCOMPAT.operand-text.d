// SPDX-License-Identifier: BSD-2-Clause
// args: 5ms
BEGIN /pid == $1/ { }
