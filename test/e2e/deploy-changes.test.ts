/** What a second deploy does to what the first one made. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { compose, job, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const uids = (lives: ReadonlyArray<ClusterObject>): ReadonlyArray<string> =>
  lives.map(({ metadata }) => metadata.uid).toSorted()
const names = (lives: ReadonlyArray<ClusterObject>): ReadonlyArray<string> => lives.map(({ metadata }) => metadata.name)

/** Those that are not on their way out. */
const pods = async ({ list }: Space, service: string): Promise<ReadonlyArray<ClusterObject>> => {
  const found = await list('Pod', `dev.devtool/service=${service}`)
  return found.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

const deploy = async (space: Space, text: string, ...args: ReadonlyArray<string>) => {
  space.write('compose.yaml', text)
  return space.must('deploy', '--wait', '--timeout', '5m', ...args)
}

const public8080 = 'ports: ["8080:8080"]'
const volume = ['volumes:', '  data: {driver_opts: {size: 2Gi}}']
/** Its page tells how often a container began on this volume. */
const counting = [
  'image: busybox:latest',
  'command: ["sh", "-c", "echo begun >>/data/index.html; trap exit TERM; httpd -f -p 8080 -h /data & wait"]',
  'healthcheck: {http: {path: /, port: 8080}, interval: 1s}',
  'ports: [8080]',
  'volumes: ["data:/data"]',
]

const test = suite('a second deploy')

await scenarios(test, [
  {
    title: 'rolls only what changed, and scale only adds pods',
    space: 'update',
    run: async (space) => {
      await deploy(space, compose({ web: page('one', 'ports: [8080]'), other: page('other', 'ports: [8080]') }))
      const other = uids(await pods(space, 'other'))
      await space.serves('web', 'one')
      const changed = { web: page('two', 'ports: [8080]'), other: page('other', 'ports: [8080]') }
      await deploy(space, compose(changed))
      await space.serves('web', 'two')
      assert.equal(uids(await pods(space, 'other')), other)
      const web = uids(await pods(space, 'web'))
      await deploy(space, compose({ ...changed, web: [...changed.web, 'scale: 3'] }))
      const scaled = uids(await pods(space, 'web'))
      assert.is(scaled.length, 3)
      assert.ok(
        web.every((uid) => scaled.includes(uid)),
        'the pod that was there was replaced',
      )
    },
  },
  {
    title: 'with a bad image fails at once while the old pods keep serving, and a third with a good one succeeds',
    space: 'image',
    run: async (space) => {
      await deploy(space, compose({ web: page('one', 'ports: [8080]') }))
      space.write('compose.yaml', compose({ web: page('two', 'ports: [8080]').with(0, 'image: busybox:no-such-tag') }))
      const failed = await space.run('deploy', '--wait', '--timeout', '5m')
      assert.is(failed.status, 1, shown(failed))
      assert.match(failed.stderr, /error DT32\d\d: .*busybox:no-such-tag/)
      await space.serves('web', 'one')
      await deploy(space, compose({ web: page('three', 'ports: [8080]') }))
      await space.serves('web', 'three')
    },
  },
  {
    title: 'deletes a service that is no longer in the file',
    space: 'prune',
    run: async (space) => {
      await deploy(space, compose({ web: page('web', public8080), gone: page('gone', public8080) }))
      assert.is((await space.list('Ingress')).length, 2)
      await deploy(space, compose({ web: page('web', public8080) }))
      for (const kind of ['Deployment', 'Service', 'Ingress'] as const) {
        assert.equal(await space.list(kind, 'dev.devtool/service=gone'), [], kind)
        assert.is((await space.list(kind, 'dev.devtool/service=web')).length, 1, kind)
      }
    },
  },
  {
    title: 'uses the volume of the first, also after destroy, unless --volumes deleted it',
    space: 'volume',
    run: async (space) => {
      const text = compose({ web: counting }, ...volume)
      const begun = async () => (await space.inside('web', 8080))?.trim().split('\n').length
      await deploy(space, text)
      await until('it has begun once', async () => (await begun()) === 1)
      await space.must('destroy', '--wait')
      assert.equal(await pods(space, 'web'), [])
      assert.equal(names(await space.list('PersistentVolumeClaim')), ['data'])
      await deploy(space, text)
      assert.is(await begun(), 2)
      space.write('compose.yaml', text.replace('2Gi', '1Gi'))
      const shrunk = await space.run('deploy')
      assert.is(shrunk.status, 3, shown(shrunk))
      assert.match(shrunk.stderr, 'DT3105')
      await space.must('destroy', '--wait', '--volumes')
      assert.equal(await space.list('PersistentVolumeClaim'), [])
    },
  },
  {
    title: 'runs a Job again only if it changed or with --rerun-jobs',
    space: 'jobs',
    run: async (space) => {
      const uidOf = async () => (await space.get('Job', 'work'))?.metadata.uid
      await deploy(space, compose({ work: job('echo one') }))
      const first = await uidOf()
      await deploy(space, compose({ work: job('echo one') }))
      assert.is(await uidOf(), first, 'it ran again without a reason')
      await deploy(space, compose({ work: job('echo two') }))
      const second = await uidOf()
      assert.is.not(second, first)
      await deploy(space, compose({ work: job('echo two') }), '--rerun-jobs=work')
      assert.is.not(await uidOf(), second)
      assert.is((await space.run('deploy', '--rerun-jobs=other')).status, 2)
      space.write('compose.yaml', compose({ work: job('exit 3') }))
      const failed = await space.run('deploy', '--wait')
      assert.is(failed.status, 1, shown(failed))
      const third = await uidOf()
      await space.run('deploy', '--wait')
      assert.is.not(await uidOf(), third, 'a failed Job was left as it was')
    },
  },
  {
    title: 'changes the kind of a workload, and gives a Service its first port',
    space: 'kind',
    run: async (space) => {
      const quiet = page('quiet')
      await deploy(space, compose({ web: quiet }))
      assert.is(textAt(await space.get('Service', 'web'), 'spec', 'clusterIP'), 'None')
      await deploy(space, compose({ web: [...quiet, 'ports: [8080]'] }))
      assert.is.not(textAt(await space.get('Service', 'web'), 'spec', 'clusterIP'), 'None')
      await space.serves('web', 'quiet')
      const { stderr } = await deploy(space, compose({ web: counting }, ...volume))
      assert.match(stderr, 'Deployment/web')
      assert.is(await space.get('Deployment', 'web'), undefined)
      assert.is((await pods(space, 'web')).length, 1)
      await space.serves('web', 'begun')
    },
  },
  {
    title: 'of named services leaves all others alone',
    space: 'partial',
    run: async (space) => {
      const three = {
        db: page('db', 'ports: [8080]'),
        web: page('web', 'ports: [8080]', 'depends_on: [db]'),
        other: page('other'),
      }
      await deploy(space, compose(three), 'web')
      assert.equal(names(await space.list('Deployment')), ['db', 'web'])
      await deploy(space, compose(three))
      const { other: _, ...two } = three
      await deploy(space, compose(two), 'web')
      assert.equal(names(await space.list('Deployment')), ['db', 'other', 'web'])
    },
  },
  {
    title: 'can give an alias of one service to two, which both receive its connections',
    space: 'alias',
    run: async (space) => {
      const named = page('named', 'networks: {back: {aliases: [shared]}}', 'ports: [8080]')
      await deploy(space, compose({ one: named }, 'networks: {back: }'))
      const alone = await space.get('Service', 'shared')
      assert.is(textAt(alone, 'spec', 'selector', 'dev.devtool/service'), 'one')
      const selectorOf = async () => JSON.stringify(at(await space.get('Deployment', 'one'), 'spec', 'selector'))
      const selector = await selectorOf()
      const uidOf = async () => (await space.get('Deployment', 'one'))?.metadata.uid
      const uid = await uidOf()
      const asked = `nslookup shared.${space.namespace}.svc.cluster.local`
      const look = job(
        `for i in $$(seq 60); do ${asked} | grep -c Address | grep -q 3 && break; sleep 1; done; ${asked}`,
        'depends_on: {one: {condition: service_healthy}, two: {condition: service_healthy}}',
      )
      await deploy(space, compose({ one: named, two: named, look }, 'networks: {back: }'))
      const found = await space.must('logs', 'look', '--no-follow')
      for (const service of ['one', 'two']) {
        const [pod, ...more] = await pods(space, service)
        assert.is(more.length, 0)
        assert.match(found.stdout, textAt(pod, 'status', 'podIP') ?? 'no address')
      }
      assert.is(textAt(await space.get('Service', 'shared'), 'spec', 'clusterIP'), 'None')
      assert.is(await selectorOf(), selector)
      assert.is(await uidOf(), uid)
      await deploy(space, compose({ one: named, two: page('two') }, 'networks: {back: }'))
      assert.is.not(textAt(await space.get('Service', 'shared'), 'spec', 'clusterIP'), 'None')
      await deploy(space, compose({ one: page('one'), two: page('two') }))
      assert.is(await space.get('Service', 'shared'), undefined)
    },
  },
  {
    title: 'of services that share a volume puts their pods on one node',
    space: 'affinity',
    unless: ({ nodes }) => (nodes.length < 2 ? 'needs two nodes' : undefined),
    run: async (space) => {
      const shares = [...page('x'), 'volumes: ["data:/data"]']
      await deploy(
        space,
        compose({ one: [...shares, 'scale: 2'], two: shares, apart: page('apart', 'scale: 2') }, ...volume),
      )
      const together = await space.list('Pod', 'dev.devtool/service in (one,two)')
      assert.is(together.length, 3)
      assert.is(new Set(together.map((pod) => textAt(pod, 'spec', 'nodeName'))).size, 1)
      for (const pod of together) {
        const required = 'requiredDuringSchedulingIgnoredDuringExecution'
        assert.is(listAt(pod, 'spec', 'affinity', 'podAffinity', required).length, 1)
      }
      assert.is(numberAt(await space.get('Deployment', 'apart'), 'status', 'readyReplicas'), 2)
    },
  },
])

test.run()
