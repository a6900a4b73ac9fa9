# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2207
#
# Completion of dtx for bash: options, files, and what is inside of a program.
# dtx --complete gives the candidates; this file splits the line and quotes.

# _dtx_split LINE: the words of a line that has not ended, without quotes, in split[]; the last one's quote in open.
_dtx_split() {
	local line=$1 c i word='' any=''
	split=() open=''
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [ -n "$open" ]; then
			if [ "$c" = "$open" ]; then open=''; else word+=$c; fi
		elif [[ $c = [\'\"] ]]; then open=$c any=1
		elif [ "$c" = \\ ]; then i=$((i + 1)) word+=${line:i:1} any=1
		elif [[ $c = [[:space:]] ]]; then
			[ -z "$any$word" ] || split+=("$word")
			word='' any=''
		else word+=$c
		fi
	done
	split+=("$word")
}

_dtx() {
	local split open kind word about cut
	_dtx_split "${COMP_LINE:0:COMP_POINT}"
	COMPREPLY=()
	# Without quotes readline replaces only what follows the last : or =.
	word=${split[${#split[@]} - 1]} cut=0
	if [ -z "$open" ]; then
		about=${word%"${word##*[:=]}"}
		cut=${#about}
	fi
	{
		IFS= read -r kind
		while IFS=$'\t' read -r word about; do COMPREPLY+=("${word:cut}"); done
	} < <("${split[0]}" --complete -- "${split[@]:1}" 2>/dev/null)
	if [ "${kind:-files}" = files ]; then
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "${split[${#split[@]} - 1]}"))
	elif [ ${#split[@]} -gt 2 ]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _dtx dtx
