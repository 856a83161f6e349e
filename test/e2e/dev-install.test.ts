/** The agent is installed under the strictest rules for pods, or `up` says why it cannot be. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'

const echo = ['--yes', '--command', 'cat /src/greeting; id -u'] as const

/** The first has no Node, and no C library at all; the second no shell that can be copied. */
const unfit = {
  'busybox:1.37': /DT5056: api does not start: the agent cannot be installed from the image busybox:1\.37/,
  'node:22':
    /DT5056: api does not start: the agent cannot be installed from the image node:22: the image of the agent must have \/bin\/dash\n/,
}

const refused = async (space: Space): Promise<void> => {
  space.write('devtool.yml', 'dev:\n  api:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n')
  await space.create('Deployment', sleeping())
  for (const [image, message] of Object.entries(unfit)) {
    const up = await space.run('up', '--yes', '--command', 'true', '--agent-image', image)
    assert.is(up.status, 1, shown(up))
    assert.match(up.stderr, message)
    assert.match(up.stderr, '--agent-image or DEVTOOL_AGENT_IMAGE names another image for the agent')
    assert.not.match(up.stderr, 'check command and entrypoint')
    await space.must('down')
    assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
  }
}

const securityContext = {
  runAsNonRoot: true,
  runAsUser: 1234,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}

const restricted = async (space: Space): Promise<void> => {
  space.write('devtool.yml', 'dev:\n  api:\n    workdir: /src\n    sync: ["files:/src"]\n')
  space.write('files/greeting', 'from here\n')
  await space.create('Deployment', sleeping({ container: { securityContext } }))
  assert.is((await space.must('up', ...echo)).stdout, 'from here\n1234\n')
  await space.must('exec', '--', 'sh', '-c', 'echo "from there" >/src/kept')
  await space.must('restart')
  assert.is((await space.must('up', '--yes', '--command', 'cat /src/kept')).stdout, 'from there\n')
  await space.must('down', '--volumes')
  assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
}

const env = { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'an image that cannot be the agent is the reason why a container does not start, not its own command',
    space: 'dev-unfit',
    run: refused,
  },
  {
    title: 'up with a volume works in a namespace that enforces Pod Security restricted',
    space: 'dev-restricted',
    run: restricted,
    options: { env, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  },
]

const test = suite('dev-install')
await scenarios(test, all)
test.run()
