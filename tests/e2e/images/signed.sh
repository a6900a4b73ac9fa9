#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf ssh-keygen python3
# where: native
#
# -x sign=KEY signs an image, and dtx-run --trust FILE runs only what one of the signers in FILE has signed: an operator can allow
# that by sudo. Who may only call it so gets nothing beyond what the signer wrote.
# attack: an image that is not signed, signed by another, for another namespace, changed after it was signed, or with a signature of another image | refused, nothing of it runs
# attack: with --trust: -o, -x, -w, -c, --record, a second --trust, --help of a file of root, options by the environment, longer runs | refused
. "$(dirname "$0")/../lib.sh"
run=${DTX%/*}/dtx-run
for who in alice mallory; do ssh-keygen -q -t ed25519 -N '' -C $who -f "$tmp/$who"; done
echo "alice@example.org namespaces=\"dtx-image\" $(cat "$tmp/alice.pub")" >"$tmp/signers"
ran='BEGIN { printf("ran\n"); exit(0); }'

# told WORDS ARG…: dtx-run refuses it with these words.
told() { DTX=$run refused "$@"; }
# good ARG…: it runs.
good() {
	timeout 60 "$run" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || fail "$*: $(cat "$tmp/err")"
	grep -q ran "$tmp/out" || fail "$*: it did not run"
}

dtx --image "$tmp/image" -x sign="$tmp/alice" -qn "$ran"
good "$tmp/image"
good --trust "$tmp/signers" "$tmp/image"
dtx --image "$tmp/loud" -x sign="$tmp/alice" -n "$ran"
good --trust="$tmp/signers" -r "$tmp/loud"
grep -qF "$tmp/loud was signed by alice@example.org" "$tmp/err" || fail "$(cat "$tmp/err")"
dtx --image "$tmp/twin" -qn "$ran"
dtx --inspect "$tmp/image"
if grep -q alice "$tmp/out"; then fail 'the image has the path of the key'; fi
"$DTX" --image "$tmp/none" -x sign="$tmp/nokey" -qn "$ran" 2>"$tmp/err" && fail 'without a key'
grep -q 'cannot sign the image' "$tmp/err" || fail "$(cat "$tmp/err")"
[ ! -e "$tmp/none" ] || fail 'an image without its signature'

# --- what is not signed by a signer -------------------------------------------------------------

trust=(--trust "$tmp/signers")
told 'the image is not signed' "${trust[@]}" "$tmp/twin"
dtx --image "$tmp/other" -x sign="$tmp/mallory" -qn "$ran"
told 'no signer in' "${trust[@]}" "$tmp/other"
# forged HOW: an image whose hash is right.
forged() {
	python3 - "$1" "$tmp" <<-'PYTHON'
	import struct, subprocess, sys
	how, tmp = sys.argv[1:]
	def parts(name):
	    data = open(f'{tmp}/{name}', 'rb').read()[:-16]
	    n = struct.unpack('<Q', data[-8:])[0] if data[-16:-8] == b'DTXSIGN1' else None
	    return (data, None) if n is None else (data[:-16 - n], data[-16 - n:-16])
	elf, sig = parts('image')
	twin = parts('twin')[0]
	n = len(sig)
	if how == 'moved':
	    elf = twin + b'\0'
	if how == 'changed':
	    elf = elf.replace(b'ran', b'ran'.upper()).replace(b'RAN', b'ram')
	if how == 'namespace':
	    open(f'{tmp}/elf', 'wb').write(elf)
	    sig = subprocess.run(['ssh-keygen', '-q', '-Y', 'sign', '-n', 'file', '-f', f'{tmp}/alice'], stdin=open(f'{tmp}/elf'), capture_output=True).stdout
	    n = len(sig)
	if how == 'rubbish':
	    sig = b'\0' * n
	if how == 'empty':
	    sig, n = b'', 0
	if how == 'long':
	    n = 1 << 63
	open(f'{tmp}/forged', 'wb').write(elf + sig + b'DTXSIGN1' + struct.pack('<Q', n) + bytes(16))
	PYTHON
	sealed "$tmp/forged"
}
for how in moved changed namespace rubbish empty; do
	forged $how
	told 'no signer in' "${trust[@]}" "$tmp/forged"
done
forged long && told 'its signature is longer than the image' "${trust[@]}" "$tmp/forged"
forged long && told 'its signature is longer than the image' "$tmp/forged"
{ head -c -16 "$tmp/image"; tail -c 16 "$tmp/twin"; } >"$tmp/forged"
told 'it was altered' "${trust[@]}" "$tmp/forged"

# --- who may change the signers -----------------------------------------------------------------

chmod 666 "$tmp/signers" && told 'others may write to it' "${trust[@]}" "$tmp/image"
chmod 644 "$tmp/signers" && chown 65534 "$tmp/signers" && told 'belongs to another user' "${trust[@]}" "$tmp/image"
chown 0 "$tmp/signers"
told 'cannot trust the signers' --trust "$tmp/nosuch" "$tmp/image"
echo "alice@example.org namespaces=\"file\" $(cat "$tmp/alice.pub")" >"$tmp/files"
told 'no signer in' --trust "$tmp/files" "$tmp/image"
echo "alice@example.org valid-before=\"20200101\" $(cat "$tmp/alice.pub")" >"$tmp/old"
told 'no signer in' --trust "$tmp/old" "$tmp/image"

# --- what the user says beside it ---------------------------------------------------------------

echo '/* a secret of root */' >"$tmp/secret"
while IFS= read -r words; do
	# shellcheck disable=SC2086 # words
	told "is not allowed with --trust" "${trust[@]}" $words "$tmp/image"
done <<END
-o $tmp/written
--record $tmp/written
--stacks $tmp/written
-w
-x destructive
-x bufsize=100g
-x outmode=666
--trust $tmp/mine
--serve 127.0.0.1:0
--live
--describe $tmp/written
--doctor
--features
--inspect $tmp/secret
--replay $tmp/secret
--comm x
-V
END
told 'is not allowed with --trust' "$tmp/image" "${trust[@]}" --trust "$tmp/signers"
for words in "$tmp/secret --help" "--help $tmp/secret" "-r $tmp/secret --help" "$tmp/secret --secret"; do
	# shellcheck disable=SC2086 # words
	"$run" "${trust[@]}" $words >"$tmp/out" 2>&1
	if grep -q 'of root' "$tmp/out"; then fail "$words tells a file of root"; fi
done
[ ! -e "$tmp/written" ] || fail 'a file was written'
cp "$tmp/signers" "$tmp/mine"
DTX_OPT_CSVDIR=$tmp/written DTX_OPT_OUTMODE=666 good "${trust[@]}" "$tmp/image"
[ ! -e "$tmp/written" ] || fail 'a folder was written'
dtx --image "$tmp/short" -x sign="$tmp/alice" -x duration=200ms -qn 'BEGIN { printf("ran\n"); }'
good "${trust[@]}" "$tmp/short"
good "${trust[@]}" --duration 100ms -v "$tmp/short"
told 'may be at most' "${trust[@]}" --duration 1h "$tmp/short"
told 'may be at most' "${trust[@]}" --duration 0 "$tmp/short"
dtx --image "$tmp/long" -x sign="$tmp/alice" -qn 'BEGIN { printf("ran\n"); }'
good "${trust[@]}" --duration 100ms "$tmp/long"
refused 'dtx-run runs them' --trust "$tmp/signers" -n "$ran"
exit 0
