// SPDX-License-Identifier: BSD-2-Clause
self this int x;
