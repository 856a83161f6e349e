/** Development with exactly the permissions that docs/up.md lists, and with fewer. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { devKinds } from '../../src/domain/dev/workload.ts'
import { workload } from '../support/dev/workloads.ts'
import { accountWith, type Rule } from '../support/e2e/account.ts'
import { shown } from '../support/e2e/command.ts'
import { everyKind, managersOf } from '../support/e2e/developed.ts'
import { rulesFor } from '../support/e2e/documented-rights.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const useOf = (kind: string): ReadonlyArray<string> => (kind === 'Deployment' ? [] : [`a ${kind}`])

const allowed = async (lab: Lab, space: Space, rules: ReadonlyArray<Rule>, name = 'developer') => {
  const { context, kubeconfig } = await accountWith(lab, space, name, rules)
  return space.through(kubeconfig, context)
}

const nothingIsLeft = (space: Space): Promise<void> =>
  until('nothing is left', async () => {
    const kinds = ['ConfigMap', 'Secret', 'Deployment', 'Service', 'PersistentVolumeClaim', 'Pod'] as const
    const left = await Promise.all(kinds.map((kind) => space.list(kind, 'dev.devtool/mirror')))
    return left.flat().length === 0
  })

const stateOf = async (space: Space, kind: (typeof devKinds)[number], name: string) => {
  const live = await space.get(kind, name)
  return [at(live ?? null, 'spec'), managersOf(live)]
}

const documented =
  (kind: (typeof devKinds)[number]) =>
  async (space: Space, lab: Lab): Promise<void> => {
    const { name, spec = {} } = everyKind.find((one) => one.kind === kind) ?? { name: '' }
    space.write('devtool.yml', `dev:\n  ${name}:\n    sync: [code:/srv]\n`)
    space.write('code/greeting', 'hello')
    await space.create(kind, workload(kind, { name, spec }))
    const before = await stateOf(space, kind, name)
    const user = await allowed(lab, space, rulesFor(...useOf(kind), '`restart`', '`down --volumes`'))
    const run = ['up', '--yes', '--command', 'cat /srv/greeting'] as const
    for (const _again of ['first', 'second']) {
      for (const _more of ['new', 'known']) assert.is((await user.must(...run)).stdout, 'hello')
      assert.is((await user.must('exec', '--', 'cat', '/srv/greeting')).stdout, 'hello')
      await user.must('restart')
      await user.must('status')
      await user.must('down')
      assert.equal(await stateOf(space, kind, name), before)
    }
    await user.must('down', '--volumes')
    await nothingIsLeft(space)
  }

const autocreated = async (space: Space, lab: Lab): Promise<void> => {
  const section = `image: busybox:1.37\n    autocreate: true\n    forward: ["${await freePort()}:8080"]\n`
  space.write('devtool.yml', `dev:\n  api:\n    ${section}    persistentVolume: { enabled: false }\n`)
  const run = ['up', '--yes', '--command', 'echo own'] as const
  const weak = await allowed(lab, space, rulesFor(), 'weak')
  const refused = await weak.run(...run)
  assert.is(refused.status, 4, shown(refused))
  assert.match(refused.stderr, 'list statefulsets.apps; list daemonsets.apps; list jobs.batch; list cronjobs.batch')

  const user = await allowed(lab, space, rulesFor('`autocreate`'))
  assert.is((await user.must(...run)).stdout, 'own\n')
  const down = await weak.run('down', 'api', '--take-over')
  assert.is(down.status, 4, shown(down))
  assert.match(down.stderr, /list, delete services[^]*Service\/api would stay/)
  await user.must('down')
  assert.equal([await space.list('Deployment'), await space.list('Service')], [[], []])
}

const without = (rules: ReadonlyArray<Rule>, resource: string, verb: string): ReadonlyArray<Rule> =>
  rules.map((rule) =>
    rule.resources.includes(resource) ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
  )

const withService = async (space: Space): Promise<void> => {
  space.write('devtool.yml', 'dev:\n  db:\n    sync: [code:/srv]\n    services: [{ name: node }]\n')
  space.write('code/greeting', 'hello')
  await space.create('StatefulSet', workload('StatefulSet', { name: 'db' }))
  await space.create('DaemonSet', workload('DaemonSet', { name: 'node' }))
}

/** What is missing is said before anything is written, whatever it is. */
const fewer = async (space: Space, lab: Lab): Promise<void> => {
  await withService(space)
  const before = await stateOf(space, 'StatefulSet', 'db')
  const rules = rulesFor('a StatefulSet', 'a DaemonSet')
  const single = rules.flatMap(({ resources: [resource = ''], verbs }) => verbs.map((verb) => ({ resource, verb })))
  for (const [index, { resource, verb }] of single.entries()) {
    const user = await allowed(lab, space, without(rules, resource, verb), `without-${index}`)
    const up = await user.run('up', 'db', '--yes', '--command', 'true')
    assert.is(up.status, 4, `without ${verb} ${resource}: ${shown(up)}`)
    assert.match(up.stderr, new RegExp(`(DT5054|not allowed)[^]*${verb}[^]*${resource}`), `${verb} ${resource}`)
    assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
    assert.equal(await stateOf(space, 'StatefulSet', 'db'), before)
  }
}

/** Neither the development container nor the service beside it is restored when one of them cannot be. */
const fewerForDown = async (space: Space, lab: Lab): Promise<void> => {
  await withService(space)
  const before = await stateOf(space, 'DaemonSet', 'node')
  await space.must('up', 'db', '--yes', '--command', 'true')
  const during = () => Promise.all([stateOf(space, 'StatefulSet', 'db'), stateOf(space, 'DaemonSet', 'node')])
  const developed = await during()
  const rules = rulesFor('a StatefulSet', 'a DaemonSet')
  for (const resource of ['statefulsets', 'daemonsets']) {
    for (const verb of ['list', 'patch']) {
      const user = await allowed(lab, space, without(rules, resource, verb), `${resource}-${verb}`)
      const down = await user.run('down', 'db', '--take-over')
      assert.is(down.status, 4, shown(down))
      assert.match(down.stderr, `${verb} ${resource}.apps`)
      assert.equal(await during(), developed)
      assert.is((await space.list('Deployment', 'dev.devtool/mirror')).length, 2)
    }
  }
  await space.must('down', 'db')
  assert.equal(await stateOf(space, 'DaemonSet', 'node'), before)
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  ...devKinds.map((kind) => ({
    title: `the permissions that are documented are enough for a ${kind}`,
    space: `rights-${kind.toLowerCase()}`,
    run: documented(kind),
  })),
  { title: 'the permissions that are documented are enough for autocreate', space: 'rights-auto', run: autocreated },
  {
    title: 'each of the documented permissions is asked for before anything is written',
    space: 'rights-less',
    run: fewer,
  },
  {
    title: 'with fewer permissions, down restores nothing instead of half',
    space: 'rights-down',
    run: fewerForDown,
  },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-rights')
await scenarios(test, all)
test.run()
