/** Accounts that lack one permission of those that `deploy` and `destroy` use. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { neededRights, type Right, showRights } from '../../src/domain/cluster/rights.ts'
import { accountWith } from '../support/e2e/account.ts'
import { compose, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

/** The commands of an account with all of these rights but the one that `text` shows. */
const without = async (lab: Lab, space: Space, text: string) => {
  const rights: ReadonlyArray<Right> = neededRights.filter((right) => showRights([right]) !== text)
  assert.is(rights.length, neededRights.length - 1, text)
  const rules = rights.map(({ group, resource, subresource, verb }) => ({
    apiGroups: [group],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    verbs: [verb],
  }))
  const { context, kubeconfig } = await accountWith(lab, space, text.replace(/\W+/g, '-'), rules)
  return space.through(kubeconfig, context)
}

const kinds = ['Deployment', 'Service', 'ConfigMap', 'Lease'] as const

const refused = async (space: Space, lab: Lab): Promise<void> => {
  space.write('compose.yaml', compose({ web: page('web', 'expose: [8080]') }))
  const before = await Promise.all(kinds.map((kind) => space.list(kind)))
  for (const text of ['create services', 'patch deployments.apps', 'list pods', 'update configmaps']) {
    const account = await without(lab, space, text)
    const ended = await account.run('deploy', '--name', 'shop', '--wait')
    assert.is(ended.status, 4, shown(ended))
    assert.match(ended.stderr, `DT3003: not allowed to ${text} in namespace ${space.namespace}: nothing was changed`)
    const after = await Promise.all(kinds.map((kind) => space.list(kind)))
    assert.equal(after.map(named), before.map(named))
  }
  const enough = await without(lab, space, 'delete jobs.batch')
  await enough.must('deploy', '--name', 'shop', '--wait')
}

const named = (lives: ReadonlyArray<{ readonly metadata: { readonly name: string } }>) =>
  lives.map(({ metadata }) => metadata.name)

const lockLeft = async (space: Space, lab: Lab): Promise<void> => {
  space.write('compose.yaml', compose({ web: page('web', 'expose: [8080]') }))
  const account = await without(lab, space, 'delete leases.coordination.k8s.io')
  await account.must('deploy', '--name', 'shop', '--wait')
  const again = await account.must('deploy', '--name', 'shop', '--wait')
  assert.not.match(again.stderr, 'waiting for the lock', 'a lock without a holder holds nobody up')
  const destroyed = await account.must('destroy', '--name', 'shop')
  assert.match(destroyed.stderr, 'Lease/devtool-env-shop stays, without a holder: not allowed to delete it')
  assert.equal(named(await space.list('Lease')), ['devtool-env-shop'])
}

const test = suite('rights')

await scenarios(test, [
  { title: 'what may not be written is named before anything is', space: 'rights', run: refused },
  { title: 'without permission to delete the lock it is left without a holder', space: 'lease', run: lockLeft },
])

test.run()
