/** Objects that are in the namespace `demo` before a command runs. */
import { record } from '../cluster/destroy.ts'

/** Not deployed by devtool. */
export const elsewhere = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'theirs', namespace: 'demo' },
  spec: { replicas: 1 },
}
export const foreign = record({ environment: 'shop', source: { repository: 'git.test/team/shop', folder: '' } }, 'demo')
const repository = 'git.test/team/api'
export const dependent = record({ environment: 'shop', dependencies: [{ name: 'api', repository }] }, 'demo')
export const dependency = record({ environment: 'api', source: { repository, folder: '' } }, 'demo')
