/** Splits arguments into flags and words, before the command is loaded and when it cannot read them. */

/**
 * Flags with their values, words, and what follows `--`. `--flag=value` is one flag; the value of `--flag value` is
 * skipped when the flag takes one. `at`: the index of the argument.
 */
export type Argument =
  | { readonly _tag: 'Flag'; readonly name: string; readonly value?: string | undefined; readonly isBound: boolean }
  | { readonly _tag: 'Word'; readonly text: string; readonly at: number }

/** `-` is a file, `-1` a number. */
export const isFlagLike = (text: string): boolean => text.startsWith('-') && text !== '-' && !/^-\d/.test(text)

export const argumentsOf = (
  argv: ReadonlyArray<string>,
  takesValue: (flag: string) => boolean,
): ReadonlyArray<Argument> => {
  const found: Array<Argument> = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    if (text === '--') {
      const start = at + 1
      return [...found, ...argv.slice(start).map((rest, i): Argument => ({ _tag: 'Word', text: rest, at: start + i }))]
    }
    if (!isFlagLike(text)) found.push({ _tag: 'Word', text, at })
    else {
      const [name = '', ...rest] = text.split('=')
      const next = argv[at + 1]
      if (text.includes('=')) found.push({ _tag: 'Flag', name, value: rest.join('='), isBound: true })
      else if (!takesValue(name) || next === undefined || isFlagLike(next)) {
        found.push({ _tag: 'Flag', name, isBound: false })
      } else {
        found.push({ _tag: 'Flag', name, value: next, isBound: false })
        at += 1
      }
    }
  }
  return found
}
