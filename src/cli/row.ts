/** The part of a command that is known before it is loaded: enough to find it and to complete its arguments. */
import { defined } from '../domain/object/defined.ts'
import type { CliCommand } from './command.ts'
import type { Flag, Word } from './flags/flag.ts'

export type FlagRow = Pick<Flag<unknown>, 'names' | 'arity' | 'value' | 'values' | 'offers' | 'unused'>
export type WordRow = Pick<Word<unknown>, 'name' | 'arity' | 'values' | 'offers'>

export type Row = {
  readonly name: string
  /** Absent for most, since the table is read on every start. */
  readonly isHidden?: true
  readonly words: ReadonlyArray<WordRow>
  readonly flags: ReadonlyArray<FlagRow>
}

/** Plain data: the build writes it as JSON. */
export const rowOf = ({ flags, isHidden = false, name, words }: CliCommand): Row => ({
  name,
  ...(isHidden ? { isHidden } : {}),
  words: Object.values(words).map(({ arity, name: word, offers, values }) => ({
    name: word,
    arity,
    ...defined({ offers, values }),
  })),
  flags: Object.values(flags).map(({ arity, names, offers, unused, value, values }) => ({
    names,
    arity,
    ...defined({ value, offers, values, unused }),
  })),
})
