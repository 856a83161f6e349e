/** Why an act was not carried out. */
import type { ActOutcome, ActTrouble } from '../../domain/sync/act.ts'
import type { SeenEntry } from '../../domain/sync/entry.ts'
import { fileErrorText } from '../../domain/text/file-errors.ts'
import { codeOf, isAbsent, reasonOf } from './disk.ts'

export class Trouble extends Error {
  readonly trouble: ActTrouble
  constructor(trouble: ActTrouble, reason: string) {
    super(reason)
    this.trouble = trouble
  }
}

/** The entry is not the expected one. */
export class Unexpected extends Error {
  readonly found: SeenEntry | undefined
  constructor(found: SeenEntry | undefined) {
    super('it is not as expected')
    this.found = found
  }
}

const troubles: Readonly<Record<string, ActTrouble>> = {
  ENOSPC: 'NoSpace',
  EDQUOT: 'NoSpace',
  EROFS: 'ReadOnly',
  EACCES: 'Forbidden',
  EPERM: 'Forbidden',
  ENAMETOOLONG: 'NameTooLong',
}

/** Another process was faster. */
const overtaken = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR'])

const troubleOf = (cause: unknown): ActTrouble | undefined => troubles[codeOf(cause)]

type Advice = Readonly<Partial<Record<ActTrouble, string>>>

/** The system's messages name the unfinished file, whose name differs each time. */
const wordsWith =
  (advice: Advice) =>
  (cause: unknown): string => {
    const [code, trouble] = [codeOf(cause), troubleOf(cause)]
    return code === ''
      ? reasonOf(cause)
      : `${fileErrorText(code)}${trouble === undefined ? '' : (advice[trouble] ?? '')}`
  }

/** Why something could not be read. */
export const readWordsOf = wordsWith({ Forbidden: '; let the user that runs there read it' })

/** Why something could not be written. The error of a full disk is the same for names and for content. */
export const writeWordsOf = wordsWith({
  NoSpace: '; delete something there, then it is tried again',
  ReadOnly: '; synchronise a folder that can be written',
  Forbidden: '; let the user that runs there write to it',
})

export const outcomeOf = (cause: unknown): ActOutcome => {
  if (cause instanceof Unexpected) return { _tag: 'Refused', found: cause.found }
  if (cause instanceof Trouble) return { _tag: 'Failed', trouble: cause.trouble, reason: cause.message }
  if (isAbsent(cause) || overtaken.has(codeOf(cause))) {
    return { _tag: 'Refused', found: { _tag: 'Unknown', reason: reasonOf(cause) } }
  }
  return { _tag: 'Failed', trouble: troubleOf(cause) ?? 'Other', reason: writeWordsOf(cause) }
}
