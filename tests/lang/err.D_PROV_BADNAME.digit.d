// SPDX-License-Identifier: BSD-2-Clause
provider p1 { };
