/** The rules of a synchronised folder, as text for people. */
import type { SyncRules } from './sync-rules.ts'

const reasons: Readonly<Record<SyncRules['troubles'][number]['reason'], string>> = {
  Pattern: 'is not understood',
  NoFile: 'names no file of this folder',
  TooManyFiles: 'is one file too many',
}

export const showRules = ({ defaults, troubles }: SyncRules): ReadonlyArray<string> => [
  ...(defaults.length === 0
    ? []
    : [
        `not synchronised: .git, ${defaults.join(', ')}; the lines of a .devtoolignore decide instead, if there is one`,
      ]),
  ...troubles.map(({ file, line, reason, text }) => `${file}:${line}: ${JSON.stringify(text)} ${reasons[reason]}`),
]
