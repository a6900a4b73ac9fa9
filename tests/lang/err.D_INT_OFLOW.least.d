// SPDX-License-Identifier: BSD-2-Clause
BEGIN { trace(-9223372036854775808); }
