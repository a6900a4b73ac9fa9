// SPDX-License-Identifier: BSD-2-Clause
enum e { ONE, TWO, ONE };
