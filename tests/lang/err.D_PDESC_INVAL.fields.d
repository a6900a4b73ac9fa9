// SPDX-License-Identifier: BSD-2-Clause
a:b:c:d:e { }
