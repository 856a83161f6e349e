/** Scripts that call `devtool __complete` for candidates, which prints `:files` where the shell is to offer files. */

const bash = `# bash completion of devtool
_devtool() {
  local IFS=$'\\n'
  COMPREPLY=($(devtool __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${COMPREPLY[0]} == :files ]]; then
    local word=\${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=($(compgen -f -- "\${word#=}"))
    compopt -o filenames 2>/dev/null
  elif [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _devtool devtool
`

const zsh = `#compdef devtool
# zsh completion of devtool
_devtool() {
  local -a candidates
  candidates=("\${(@f)$(devtool __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if [[ $candidates[1] == :files ]]; then
    compset -P '*='
    _files
  elif (( \${#candidates} )); then
    compadd -S '' -- \${(M)candidates:#*=}
    compadd -- \${candidates:#*=}
  fi
}
if [ "$funcstack[1]" = "_devtool" ]; then _devtool "$@"; else compdef _devtool devtool; fi
`

const fish = `# fish completion of devtool
function __devtool_complete
    set -l words (commandline -opc)
    set -l candidates (devtool __complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test "$candidates[1]" = :files
        __fish_complete_path (commandline -ct)
    else if test (count $candidates) -gt 0
        printf '%s\\n' $candidates
    end
end
complete -c devtool -f -a '(__devtool_complete)'
`

const powershell = `# PowerShell completion of devtool
Register-ArgumentCompleter -Native -CommandName devtool -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or $_.Extent.Text -ne $wordToComplete } | ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') { $words += '""' } else { $words += $wordToComplete }
    $words = @($words | ForEach-Object { if ($_ -eq '""') { '' } else { $_ } })
    $candidates = @(devtool __complete -- @words 2>$null)
    if ($candidates[0] -eq ':files') { return [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete) }
    if ($candidates.Count -eq 0) { return '' }
    $candidates | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`

export const completionScripts = { bash, zsh, fish, powershell } as const
