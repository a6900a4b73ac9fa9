#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes btf python3
# where: native
#
# What runs is what was made: an image of which one bit was changed, wherever it is, is refused in dtx's words.
# attack: one bit of an image changed, in 60 places of its code, data, manifest and end | refused, status 1 or 2, one message
# attack: an image cut short, with bytes added, with another hash | refused
. "$(dirname "$0")/../lib.sh"

dtx --image "$tmp/image" -qn 'BEGIN { x = 1; printf("hello %d %s\n", x, "abc"); @a["k", 3] = count(); a[1, "z"] = 7; }
	BEGIN { printf("%d %d\n", a[1, "z"], 40 + 2); exit(0); } END { printa("%s %d %@d\n", @a); }'
dtx -q -r "$tmp/image"
grep -q '^hello 1 abc' "$tmp/out" || fail "unchanged: $(cat "$tmp/out")"
/usr/bin/env DTX="$DTX" python3 - "$tmp/image" <<'END' || fail 'an altered image was not refused as it should be'
import os, subprocess, sys
image = open(sys.argv[1], 'rb').read()
flip = lambda at, bit: image[:at] + bytes([image[at] ^ bit]) + image[at + 1:]
step = len(image) // 48
made = [flip(at, 1 << at % 8) for at in [*range(16, len(image), step), *range(len(image) - 16, len(image))]]
made += [image[:-1], image[:-16], image[:len(image) // 2], image + b'\0', image[:-8] + bytes(8)]
bad = 0
for n, bytes_ in enumerate(made):
    open(sys.argv[1] + '.x', 'wb').write(bytes_)
    for what in ['-r', '--inspect']:
        r = subprocess.run([os.environ['DTX'], '-q', what, sys.argv[1] + '.x'], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        said = r.stderr
        if r.returncode not in (1, 2) or r.stdout or len(said.splitlines()) != 1 or 'libbpf' in said or 'image' not in said:
            print(n, what, r.returncode, repr(r.stdout[:80]), repr(said[:300]))
            bad = 1
sys.exit(bad)
END
