/**
 * Controllers that scale a workload back each second, before, during and after `up` and `down`: they are paused, and go
 * on afterwards. Loops stand in for the controllers.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { inRounds } from '../support/dev/rounds.ts'
import { type WorkloadParts, workload } from '../support/dev/workloads.ts'
import { accountWith, allowIn, editorOf } from '../support/e2e/account.ts'
import { shown } from '../support/e2e/command.ts'
import {
  byArgo,
  byFlux,
  byKeda,
  type Controlling,
  defineControllers,
  healing,
  kustomizations,
  type Loop,
  made,
  whileLooping,
} from '../support/e2e/controllers.ts'
import { killedDown, killedUp, manifestOf } from '../support/e2e/dev-kills.ts'
import { applied, keyOf, managersOf, type Place, rightOf, stateOf, untilRunning } from '../support/e2e/developed.ts'
import { rulesFor, rulesOnlyFor } from '../support/e2e/documented-rights.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { connectReal, within } from '../support/e2e/real-cluster.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { down, up } from '../support/e2e/up-down.ts'
import { until } from '../support/process/until.ts'

const cluster = await connectReal()
const undefine = await defineControllers(cluster)

const placeOf = ({ namespace }: Space): Place => ({ cluster, namespace })
const deployment = (space: Space, name = 'web') => keyOf(placeOf(space), 'Deployment', name)
const readOf = (key: Controlling) => rightOf(cluster.get(key))
const annotationsOf = async (key: Controlling) => at(await readOf(key), 'metadata', 'annotations')
const replicas = async (space: Space, name = 'web') => at(await readOf(deployment(space, name)), 'spec', 'replicas')

const begin = async (space: Space, parts: WorkloadParts = {}, name = 'web'): Promise<void> => {
  space.write('devtool.yml', 'dev:\n  web:\n    persistentVolume: { enabled: false }\n  mail: {}\n')
  await applied(placeOf(space), 'Deployment', name, workload('Deployment', { name, ...parts }))
}

const isAsBefore = async (key: Controlling): Promise<void> => {
  const live = await readOf(key)
  assert.equal(at(live, 'metadata', 'annotations'), { note: 'kept' })
  assert.not(managersOf(live).some((entry) => entry.includes('devtool-up')))
}

const short = ['--yes', '--command', 'true'] as const
const stopped = [0, 0, 0]
const running = [2, 2, 2]

type User = Pick<Space, 'must'>

/** The loops go on all the time; `check` runs while the workload is developed. */
const paused = (space: Space, loops: ReadonlyArray<Loop>, check = async (): Promise<void> => {}, user: User = space) =>
  whileLooping(cluster, loops, async ({ afterTurns }) => {
    await user.must('up', 'web', ...short)
    assert.equal(await afterTurns(deployment(space)), stopped)
    await check()
    await user.must('down', 'web')
    assert.is(await replicas(space), 2)
    assert.equal(await afterTurns(deployment(space)), running)
  })

const scaled = ({ namespace }: Space): Promise<Controlling> => {
  const key = { resource: resources.ScaledObject, name: 'web', namespace }
  return made(cluster, key, { scaleTargetRef: { name: 'web' } })
}

/** With exactly the permissions that are documented. */
const keda = async (space: Space, lab: Lab): Promise<void> => {
  const on = await scaled(space)
  await begin(space)
  const { context, kubeconfig } = await accountWith(lab, space, 'user', rulesFor('a workload that KEDA scales'))
  await paused(space, [byKeda(deployment(space), on)], undefined, space.through(kubeconfig, context))
  await isAsBefore(on)
}

/** Of somebody who may not see the ScaledObject, after an `up` of somebody who may. */
const kedaUnseen = async (space: Space, lab: Lab): Promise<void> => {
  const on = await scaled(space)
  await begin(space)
  await space.must('up', 'web', ...short)
  const { context, kubeconfig } = await editorOf(lab, space)
  const state = async () => [await annotationsOf(on), await replicas(space), await space.list('ConfigMap')]
  const before = await state()
  const refused = await space.through(kubeconfig, context).run('down', 'web', '--take-over')
  assert.is(refused.status, 4, shown(refused))
  assert.match(refused.stderr, /DT5054: not allowed in namespace \S+: list, patch scaledobjects\.keda\.sh/)
  assert.match(refused.stderr, 'ScaledObject/web would stay unchanged')
  assert.equal(await state(), before)
  await space.must('down', 'web')
  assert.is(await replicas(space), 2)
  await isAsBefore(on)
}

const tracked = (space: Space, { name, namespace }: Controlling, of = 'web'): WorkloadParts => {
  const text = `${namespace}_${name}:apps/Deployment:${space.namespace}/${of}`
  return { annotations: { 'argocd.argoproj.io/tracking-id': text } }
}

/** `use` gets the namespace of the applications. */
const inOther = (use: (namespace: string) => Promise<void>): Promise<void> => within(cluster, 'argo', use)

const application = (namespace: string) => healing(cluster, namespace)

/** The question is answered with no, then with yes. */
const argo = (space: Space): Promise<void> =>
  inOther(async (namespace) => {
    const on = await application(namespace)
    await begin(space, tracked(space, on))
    const question = `Deployment/web belongs to the Argo CD application ${namespace}/shop: pause the whole application until`
    const answered = (answer: string, end: string | RegExp) =>
      space.inTerminal(['up', 'web', '--command', 'echo "developed here"'], async (terminal) => {
        await terminal.until(`${namespace}/shop: pause the whole application`)
        terminal.type(answer)
        terminal.press('Enter')
        await terminal.until(end)
      })
    await whileLooping(cluster, [byArgo(deployment(space), on)], async ({ afterTurns }) => {
      const mute = await space.run('up', 'web', '--command', 'true')
      assert.equal([mute.status, mute.stderr.includes(question)], [5, true], shown(mute))
      await answered('n', /status [1-9]/)
      await isAsBefore(on)
      assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
      assert.equal(await afterTurns(deployment(space)), running)

      await answered('y', /^developed here$/m)
      assert.equal(await afterTurns(deployment(space)), stopped)
      await space.must('down', 'web')
      assert.is(await replicas(space), 2)
      await isAsBefore(on)
      assert.equal(await afterTurns(deployment(space)), running)
    })
  })

/** First with the role `edit` in the namespace of the workload and a look at the application, then as documented. */
const argoRights = (space: Space, lab: Lab): Promise<void> =>
  inOther(async (namespace) => {
    const on = await application(namespace)
    await begin(space, tracked(space, on))
    const editor = await editorOf(lab, space)
    const user = space.through(editor.kubeconfig, editor.context)
    const look = { apiGroups: ['argoproj.io'], resources: ['applications'], verbs: ['get'] }
    await allowIn(lab, space, editor, namespace, [look])
    const refused = await user.run('up', 'web', ...short)
    assert.is(refused.status, 4, shown(refused))
    assert.match(refused.stderr, `DT5054: not allowed in namespace ${namespace}: patch applications.argoproj.io`)
    await isAsBefore(on)
    assert.equal([await replicas(space), await space.list('ConfigMap', 'dev.devtool/kind=up')], [2, []])

    const documented = await accountWith(lab, space, 'documented', rulesFor())
    await allowIn(
      lab,
      space,
      documented,
      namespace,
      rulesOnlyFor('a workload of an Argo CD application with self-heal'),
    )
    const { context, kubeconfig } = documented
    await paused(space, [byArgo(deployment(space), on)], undefined, space.through(kubeconfig, context))
    await isAsBefore(on)
  })

/** Only the one of the workload is paused. */
const argoTwice = (space: Space): Promise<void> =>
  inOther((one) =>
    inOther(async (other) => {
      const [ours, theirs] = [await application(one), await application(other)]
      await begin(space, tracked(space, ours))
      await begin(space, tracked(space, theirs, 'mail'), 'mail')
      await paused(space, [byArgo(deployment(space), ours), byArgo(deployment(space, 'mail'), theirs)], async () => {
        await isAsBefore(theirs)
        await space.must('up', 'mail', ...short)
        assert.equal([await replicas(space), await replicas(space, 'mail')], [0, 0])
        await space.must('down', 'web')
        await isAsBefore(ours)
        assert.equal([await replicas(space), await replicas(space, 'mail')], [2, 0])
        await space.must('down', 'mail')
        await isAsBefore(theirs)
      })
    }),
  )

/** The labels of a workload of the Kustomization `apps`. */
const ofFlux = ({ namespace }: Space) => ({
  'kustomize.toolkit.fluxcd.io/name': 'apps',
  'kustomize.toolkit.fluxcd.io/namespace': namespace,
})

const flux = async (space: Space): Promise<void> => {
  const { namespace } = space
  const kustomization = await made(cluster, { resource: kustomizations, name: 'apps', namespace })
  const before = await readOf(kustomization)
  await begin(space, { labels: ofFlux(space), annotations: { note: 'kept' } })
  const on = deployment(space)
  const loop = byFlux(on)
  await paused(space, [loop], async () => assert.equal(await readOf(kustomization), before))
  assert.is(at(await annotationsOf(on), loop.pause.name), undefined)
  assert.is(at(await annotationsOf(on), 'note'), 'kept')
  assert.equal(await readOf(kustomization), before)
}

/** More than `up` or `down` of a Deployment with a controller makes. */
const mostWrites = 9

const anyPrefix = async (space: Space): Promise<void> => {
  const on = await scaled(space)
  await begin(space, { labels: ofFlux(space), annotations: { note: 'kept' } })
  const world = { ...placeOf(space), clock: systemClock }
  const state = async (): Promise<string> => {
    const live = await readOf(deployment(space))
    const all = [await annotationsOf(on), managersOf(await readOf(on)), at(live, 'spec'), live?.metadata.annotations]
    return JSON.stringify(all)
  }
  const withoutRevision = async (): Promise<string> =>
    (await state()).replaceAll(/"deployment\.kubernetes\.io\/revision":"\d+",?/g, '')
  await until('the first revision is counted', async () => (await withoutRevision()) !== (await state()))
  const before = await withoutRevision()
  for (let writes = 0; writes <= mostWrites; writes += 1) {
    await inRounds(world, up('web'), writes)
    await inRounds(world, down('Deployment', 'web', true))
    assert.is(await withoutRevision(), before, `up was cut off after ${writes} writes`)
    await inRounds(world, up('web'))
    await inRounds(world, down('Deployment', 'web', true), writes)
    await inRounds(world, down('Deployment', 'web', true))
    assert.is(await withoutRevision(), before, `down was cut off after ${writes} writes`)
  }
}

const killed = async (space: Space): Promise<void> => {
  const [place, developed] = [placeOf(space), { kind: 'Deployment', name: 'web' } as const]
  const on = await scaled(space)
  await begin(space, { labels: ofFlux(space), annotations: { note: 'kept' } })
  space.write('devtool.yml', manifestOf(developed))
  await untilRunning(place, developed)
  const trial = { space, place, developed, before: await stateOf(place, developed), isOther: true }
  for (const afterWrite of [2, 3, 4, 5, 6]) {
    await killedUp(trial, { afterWrite })
    await isAsBefore(on)
  }
  for (const afterWrite of [1, 2, 3]) {
    await killedDown(trial, { afterWrite })
    await isAsBefore(on)
  }
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  { title: 'KEDA is paused, and resumed by down', space: 'paused-keda', run: keda },
  { title: 'down restores nothing when it may not resume KEDA', space: 'paused-unseen', run: kedaUnseen },
  {
    title: 'an application of Argo CD with self-healing is paused after a question, and resumed by down',
    space: 'paused-argo',
    run: argo,
  },
  {
    title:
      'an application that may be read but not paused is named before anything is written; what is documented is enough',
    space: 'paused-rights',
    run: argoRights,
  },
  {
    title: 'of two applications of one name in two namespaces, only the one of the workload is paused',
    space: 'paused-twice',
    run: argoTwice,
  },
  {
    title: 'Flux ignores a workload until down, and its Kustomization is not changed',
    space: 'paused-flux',
    run: flux,
  },
  {
    title: 'KEDA and Flux are let go on by down after any prefix of the writes of up and of down',
    space: 'paused-prefix',
    run: anyPrefix,
  },
  {
    title: 'down from elsewhere lets KEDA and Flux go on after up or down was killed',
    space: 'paused-kills',
    run: killed,
  },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-paused')
test.after(async () => {
  await undefine()
  cluster.close()
})
await scenarios(test, all)
test.run()
