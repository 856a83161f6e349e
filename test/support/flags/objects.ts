/** What is in the namespace `demo` before a command runs. */
import { record } from '../cluster/destroy.ts'
import { files, type Setup } from './world.ts'

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

export const depending: Setup = {
  files: {
    ...files,
    'devtool.yml': 'name: shop\ndependencies: {lib: {repository: "https://git.test/team/lib"}}\ndeploy: [echo hello]\n',
  },
  objects: [record({ environment: 'lib', source: { repository: 'https://git.test/team/lib.git' } }, 'demo')],
}
