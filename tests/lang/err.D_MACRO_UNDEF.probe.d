// SPDX-License-Identifier: BSD-2-Clause
tick-$1 { }
