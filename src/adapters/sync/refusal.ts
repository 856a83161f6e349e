/** Why an act was not carried out. */
import type { ActOutcome, ActTrouble } from '../../domain/sync/act.ts'
import type { SeenEntry } from '../../domain/sync/entry.ts'
import { codeOf, isAbsent, reasonOf } from './disk.ts'

export class Trouble extends Error {
  readonly trouble: ActTrouble
  constructor(trouble: ActTrouble, reason: string) {
    super(reason)
    this.trouble = trouble
  }
}

/** What was there is not what was expected. */
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

/** Somebody else was faster. */
const overtaken = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR'])

export const outcomeOf = (cause: unknown): ActOutcome => {
  if (cause instanceof Unexpected) return { _tag: 'Refused', found: cause.found }
  if (cause instanceof Trouble) return { _tag: 'Failed', trouble: cause.trouble, reason: cause.message }
  const reason = reasonOf(cause)
  if (isAbsent(cause) || overtaken.has(codeOf(cause))) return { _tag: 'Refused', found: { _tag: 'Unknown', reason } }
  return { _tag: 'Failed', trouble: troubles[codeOf(cause)] ?? 'Other', reason }
}
