#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The tests with plain output of several topics, with --format json: valid, with the values of the text; and replayed: the same text.
# needs: root python3
# where: native
# timeout: 240
. "$(dirname "$0")/../lib.sh"
plain 'it runs 250 tests once more'
tests/output/run
