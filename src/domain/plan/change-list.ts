/** What a deploy would change, according to the API server's dry run: for people, for programs, and for `--diff`. */
import * as t from 'io-ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'

const change = oneOf('create', 'change', 'same', 'renew', 'delete')

const ChangeRow = keys(
  {
    object: [t.string, 'the object, for example `Deployment/web`'],
    change: [change, 'renew: it is deleted and recreated'],
    diff: [t.string, 'unified diff from the live object to the new one'],
  },
  { because: [t.string, 'why it is changed, deleted or recreated'] },
)
export type ChangeRow = t.TypeOf<typeof ChangeRow>

export const ChangeList = document(
  'deploy --diff, deploy --dry-run=server',
  'What a deploy would change in the cluster.',
  {
    environment: [t.string, 'name of the environment'],
    namespace: [t.string, 'the namespace'],
    changes: [t.readonlyArray(ChangeRow), 'in the order in which they would happen'],
  },
)
export type ChangeList = DataOf<typeof ChangeList>

/** `2 to create, 1 unchanged`. */
export const summaryOf = ({ changes }: Pick<ChangeList, 'changes'>): string => {
  const count = (what: ChangeRow['change']): number => changes.filter((row) => row.change === what).length
  const parts: ReadonlyArray<readonly [number, string]> = [
    [count('create'), 'to create'],
    [count('change'), 'to change'],
    [count('renew'), 'to recreate'],
    [count('delete'), 'to delete'],
    [count('same'), 'unchanged'],
  ]
  return parts.flatMap(([number, text]) => (number === 0 ? [] : [`${number} ${text}`])).join(', ')
}
