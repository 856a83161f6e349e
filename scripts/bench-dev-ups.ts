/** What `devtool up` takes on the cluster of $KUBECONFIG, with and without files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/adapters/system/clock.ts'
import { agentPod, apply, type DevWorld } from '../test/support/e2e/dev-pod.ts'
import { measure, record } from './bench-dev-rows.ts'
import { root } from './command.ts'
import { residentMb } from './process-use.ts'

const filled = (folder: string, files: number): void => {
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  for (let file = 0; file < files; file += 1) {
    const below = join(folder, 'src', String(file % 20))
    mkdirSync(below, { recursive: true })
    writeFileSync(join(below, `${file}.ts`), `${file}\n`.repeat(500))
  }
}

/** Pod Security of the namespace is `restricted`. */
const plainContainer = {
  name: 'app',
  image: 'busybox:1.37',
  command: ['sleep', '3600'],
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    runAsUser: 123_456,
    seccompProfile: { type: 'RuntimeDefault' },
  },
}

type Ups = { readonly world: DevWorld; readonly folder: string; readonly memory: Array<number> }

const call = ({ folder, world }: Ups, command: string, ...args: ReadonlyArray<string>) =>
  spawn(process.execPath, [join(root, 'dist/devtool.cjs'), command, '--namespace', world.namespace, ...args], {
    cwd: join(folder, 'project'),
    env: { ...process.env, HOME: folder, DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })

const succeeded = async (...how: Parameters<typeof call>): Promise<void> => {
  const [status] = await once(call(...how), 'exit')
  if (status !== 0) throw new Error(`devtool ${how[1]} ended with ${status}`)
}

/** `down`: further arguments of it. */
const upOnce = async (around: Ups, ...down: ReadonlyArray<string>): Promise<number> => {
  const since = systemClock.now()
  const up = call(around, 'up', '--yes', '--command', 'echo ready; sleep 100')
  await once(up.stdout, 'data')
  const ms = systemClock.now() - since
  around.memory.push(residentMb(up.pid))
  up.kill('SIGINT')
  await once(up, 'exit')
  await succeeded(around, 'down', ...down)
  return ms
}

/** The whole command, from its start to its end. */
const execs = async (around: Ups, rounds: number): Promise<void> => {
  await succeeded(around, 'up', '--yes', '--detach')
  await measure('`exec -- true`, the whole command', rounds, async () => {
    const since = systemClock.now()
    await succeeded(around, 'exec', '--', 'true')
    return systemClock.now() - since
  })
  await succeeded(around, 'down')
}

/** With the volume that a section has unless it is switched off: the first `up` makes and fills it. */
const withVolume = async (around: Ups, rounds: number): Promise<void> => {
  const again: Array<number> = []
  await measure('`devtool up` with a new volume, until its command has an output', rounds, async () => {
    const ms = await upOnce(around)
    again.push(await upOnce(around, '--volumes'))
    return ms
  })
  await measure('the same with the volume of an earlier `up`', again.length, async () => again.shift() ?? 0)
}

/** The whole command, from its start until the first output of the program that it runs. */
export const ups = async (world: DevWorld, rounds: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-up-'))
  mkdirSync(join(folder, 'project'))
  const section = 'dev:\n  web:\n    workdir: /tmp\n'
  const write = (more: string): void => writeFileSync(join(folder, 'project/devtool.yml'), section + more)
  write('    persistentVolume: { enabled: false }\n')
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { ...agentPod('busybox:1.37'), volumes: [], containers: [plainContainer] },
  }
  const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template }
  await apply(world, 'Deployment', { metadata: { name: 'web' }, spec })
  const around: Ups = { world, folder, memory: [] }
  await measure('`devtool up` without a volume, until its command has an output', rounds, () => upOnce(around))
  await execs(around, rounds)
  filled(join(folder, 'project'), 500)
  await measure('the same with 500 files', rounds, () => upOnce(around))
  write('')
  filled(join(folder, 'project'), 0)
  await withVolume(around, rounds)
  record({ what: 'memory of `devtool up`', unit: 'MiB', values: around.memory, load: loadavg()[0] ?? 0 })
  rmSync(folder, { recursive: true })
}
