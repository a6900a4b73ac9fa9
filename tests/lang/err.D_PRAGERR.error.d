// SPDX-License-Identifier: BSD-2-Clause
#error not today
BEGIN { }
