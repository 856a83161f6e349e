/** What `rollback` did. */
import * as t from 'io-ts'
import { type DataOf, document } from '../print/document.ts'

export const RollbackReport = document(
  'rollback',
  'What the environment went back to.',
  {
    environment: [t.string, 'name of the environment'],
    namespace: [t.string, 'the namespace'],
    to: [t.number, 'number of the deployment whose plan was applied'],
    changed: [t.readonlyArray(t.string), 'objects that were created, changed or deleted, for example `Deployment/web`'],
    endpoints: [t.readonlyArray(t.string), 'public addresses'],
  },
  { number: [t.number, 'number of the new deployment; absent if nothing had to be changed'] },
)
export type RollbackReport = DataOf<typeof RollbackReport>
