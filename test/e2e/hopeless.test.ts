/** Services that cannot start: a deploy ends at once, names the cause once, and causes before what follows from them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defined } from '../../src/domain/object/defined.ts'
import { compose } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space, SpaceOptions } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'

const sh = (script: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  'image: busybox:latest',
  `command: ["sh", "-c", "${script}"]`,
  'stop_grace_period: 1s',
  ...more,
]

/** `rest`: what stands below the services. `prepare`: what is in the namespace before. */
type Hopeless = {
  readonly what: string
  readonly space: string
  readonly web: ReadonlyArray<string>
  readonly rest?: string
  readonly prepare?: (space: Space) => Promise<void>
  readonly options?: SpaceOptions
  readonly said: RegExp
}

const quota = ({ create }: Space): Promise<void> =>
  create('ResourceQuota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team' },
    spec: { hard: { pods: '0' } },
  })

const settings = ({ create }: Space): Promise<void> =>
  create('ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } })

const list: ReadonlyArray<Hopeless> = [
  {
    what: 'a command that its shell does not find',
    space: 'notfound',
    web: sh('no-such-program'),
    said: /DT3217: web: the container crashes \(exit code 127, the command is not found.*: the program no-such-program is not in the image/,
  },
  {
    what: 'a command that may not be executed',
    space: 'forbidden',
    web: sh('/etc/passwd'),
    said: /DT3207: web: the container crashes \(exit code 126, the command is not executable/,
  },
  {
    what: 'a working folder that is a file',
    space: 'folder',
    web: sh('sleep 3600', 'working_dir: /etc/passwd'),
    said: /DT3217: web: .* its working folder \/etc\/passwd is a file/,
  },
  {
    what: 'an image whose name is not one',
    space: 'name',
    web: ['image: "busybox:no-such-tag"'],
    said: /DT3201: web: the image busybox:no-such-tag is not in its registry/,
  },
  {
    what: 'a node that nobody has',
    space: 'node',
    web: sh('sleep 3600', 'x-node-selector: {disk: nvme}'),
    said: /DT3210: web: no suitable node/,
  },
  {
    what: 'a capability that Pod Security refuses',
    space: 'capability',
    web: sh('sleep 3600', 'cap_add: [SYS_ADMIN]'),
    options: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
    said: /DT3214: web: Pod Security "baseline:latest" does not allow its pods: .*"SYS_ADMIN"/,
  },
  { what: 'a quota', space: 'quota', web: sh('sleep 3600'), prepare: quota, said: /DT3211: web: / },
  {
    what: 'a Secret that is not there',
    space: 'secret',
    web: sh('sleep 3600', 'secrets: [password]'),
    rest: 'secrets: {password: {external: true}}',
    said: /DT3216: web: the Secret password does not exist/,
  },
  {
    what: 'a key of a ConfigMap that is not there',
    space: 'key',
    web: sh('sleep 3600', 'configs: [settings]'),
    rest: 'configs: {settings: {external: true}}',
    prepare: settings,
    said: /DT3216: web: the ConfigMap settings has no key settings/,
  },
]

const ends = async (space: Space, { prepare, rest = '', said, web }: Hopeless): Promise<void> => {
  await prepare?.(space)
  space.write('compose.yaml', compose({ web }, rest))
  const ended = await space.run('deploy', '--wait', '--timeout', '10m')
  assert.is(ended.status, 1, shown(ended))
  assert.match(ended.stderr, said)
  assert.is(ended.stderr.match(/^error /gm)?.length, 1, shown(ended))
  assert.not.match(ended.stderr, 'warning DT3132')
}

const test = suite('hopeless')

await scenarios(test, [
  ...list.map((one) => ({
    title: `a deploy ends at once for ${one.what}`,
    space: one.space,
    ...defined({ options: one.options }),
    run: (space: Space) => ends(space, one),
  })),
  {
    title: 'a service that fails since another one does is told after it, and each only once',
    space: 'causes',
    run: async (space) => {
      const [db, web] = [
        sh('exit 3', 'deploy: {resources: {reservations: {cpus: "0.2"}}}'),
        sh('sleep 1; echo cannot reach db; exit 1', 'depends_on: [db]'),
      ]
      space.write('compose.yaml', compose({ web, db }))
      const { status, stderr } = await space.run('deploy', '--wait', '--timeout', '10m')
      assert.is(status, 1, stderr)
      const causes = stderr.match(/(?<=^error DT\d+: )\w+/gm) ?? []
      assert.is(causes[0], 'db', stderr)
      assert.equal([...new Set(causes)], causes, stderr)
    },
  },
])

test.run()
