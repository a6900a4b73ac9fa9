#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
#
# Random changes of an image: the same each time. DTX_GEN=5000 tests/gen/images is the long run, by hand.
# attack: random changes of a whole image, whose hash is not made again | refused, or the output is that of the image as it was made
# attack: random changes of its manifest, code, types and headers, by somebody who makes the hash again | it ends, with words of dtx, below 200 MB
# attack: an image with the right hash whose header names 1 GB of variables | refused
export DTX_GEN=${DTX_GEN:-100} DTX_GEN_FROM=${DTX_GEN_FROM:-5100}
DTX_GEN=1 DTX_GEN_FROM=6107 "$(dirname "$0")/../../gen/images" || exit
exec "$(dirname "$0")/../../gen/images"
