// SPDX-License-Identifier: BSD-2-Clause
provider p { probe x(); };
#pragma D attributes Stable/Stable/Common provider p everything
BEGIN { }
