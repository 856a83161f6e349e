/** The result of a dry run, for people and for programs. */
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type ChangeList, type ChangeRow, summaryOf } from '../../domain/plan/change-list.ts'
import type { Preview } from './server-dry-run.ts'

const verbs = { Create: 'create', Change: 'change', Same: 'same', Replace: 'renew', Delete: 'delete' } as const

export const rowOf = ({ because, diff, name, what }: Preview): ChangeRow => ({
  object: name,
  change: verbs[what],
  ...defined({ because }),
  diff,
})

/** An error that `what` differs; `help`: how to update it. */
export const differs = (
  list: Pick<ChangeList, 'changes'>,
  { help, what }: { readonly what: string; readonly help: string },
): ReadonlyArray<Diagnostic> =>
  list.changes.every(({ change }) => change === 'same')
    ? []
    : [error('DT3140', `${what}: ${summaryOf(list)}`, { help })]
