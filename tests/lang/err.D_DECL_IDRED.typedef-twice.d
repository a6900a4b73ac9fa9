// SPDX-License-Identifier: BSD-2-Clause
typedef int t;
typedef string t;
