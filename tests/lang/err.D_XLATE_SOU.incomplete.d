// SPDX-License-Identifier: BSD-2-Clause
translator struct nowhere < int i > { x = i; };
