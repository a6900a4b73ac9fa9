// SPDX-License-Identifier: BSD-2-Clause
provider p { probe a(); probe a(); };
