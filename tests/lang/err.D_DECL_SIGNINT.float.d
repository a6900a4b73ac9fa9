// SPDX-License-Identifier: BSD-2-Clause
unsigned float x;
