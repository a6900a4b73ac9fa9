# SPDX-License-Identifier: BSD-2-Clause
#
# Completion of dtx for fish: options, files, and what is inside of a program.
# dtx --complete gives the candidates.

function __dtx_complete
    set -l before (commandline -opc)
    # The word without the quote that it begins with.
    set -l word (commandline -ct | string collect | string replace -r '^[\'"]' '')
    set -l answer ($before[1] --complete -- $before[2..-1] "$word" 2>/dev/null)
    if test "$answer[1]" = words
        printf '%s\n' $answer[2..-1]
    else
        __fish_complete_path "$word"
    end
end

complete -c dtx -f -a '(__dtx_complete)'
