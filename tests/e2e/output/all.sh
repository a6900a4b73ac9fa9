#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# All tests with plain output once more, with --format json: valid, with the values of the text; and replayed: the same text.
# needs: root python3
# where: native
# timeout: 400
. "$(dirname "$0")/../lib.sh"
plain 'it runs 560 tests once more'
tests/output/run
