/* SPDX-License-Identifier: BSD-2-Clause */
# 100 "other.d"
#error stop here
BEGIN { exit(0); }
