/** For the benchmarks of a platform: the built API server on the ports 8080 and 9090 of this machine, and requests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json, JsonObject } from '../src/domain/cluster/json.ts'
import { type KnownKind, resources } from '../src/domain/cluster/resources.ts'
import type { Cluster } from '../src/ports/cluster.ts'
import { root } from './command.ts'

export const API_URL = 'http://127.0.0.1:8080'

/** The limit of its container in an installation, by which V8 decides how early it collects garbage. */
const MEMORY_LIMIT = 512 * 1024 * 1024

/** A control group with this limit, that of earlier programs if there were any: one that ends can be in it for a moment. */
const memoryGroup = (): string => {
  const isFirstVersion = existsSync('/sys/fs/cgroup/memory')
  const group = join('/sys/fs/cgroup', isFirstVersion ? 'memory' : '', 'devtool-bench')
  mkdirSync(group, { recursive: true })
  writeFileSync(join(group, isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max'), String(MEMORY_LIMIT))
  return group
}

/** One of the built programs of the platform. */
const startProgram = (file: string, more: Readonly<Record<string, string>>): ChildProcess => {
  const program = [process.execPath, join(root, 'dist/platform', file)]
  const joining = 'echo $$ > "$0"; exec "$@"'
  return spawn('sh', ['-c', joining, join(memoryGroup(), 'cgroup.procs'), ...program], {
    env: { ...process.env, DEVTOOL_DOMAIN: 'example.com', ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

export const startController = (): ChildProcess =>
  startProgram('controller.cjs', { DEVTOOL_IMAGE: 'devtool/platform:test', DEVTOOL_SLEEP_AFTER: '86400' })

/** `folder`: for its secrets. */
export const startApi = (folder: string, issuer: string): ChildProcess => {
  for (const [path, text] of Object.entries({ 'oidc/client-secret': 's3cret', 'session/key': 'k'.repeat(44) })) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return startProgram('api.cjs', {
    DEVTOOL_CONFIG_FOLDER: folder,
    DEVTOOL_URL: 'https://devtool.example.com',
    DEVTOOL_OIDC_ISSUER: issuer,
    DEVTOOL_OIDC_CLIENT: 'devtool',
  })
}

export const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch('http://127.0.0.1:9090/readyz')).ok
  } catch {
    return false
  }
}

export const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

/** A request to the API at `url`; throws unless it succeeds. */
export const sending =
  (url: string) =>
  async (method: string, path: string, token: string, body?: Json): Promise<Json> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

export const manager = 'devtool-bench'

/** Existing objects are kept. */
export const putting =
  (cluster: Pick<Cluster, 'create'>) =>
  async (kind: KnownKind, body: JsonObject, namespace?: string): Promise<void> => {
    const place = { resource: resources[kind], ...(namespace === undefined ? {} : { namespace }) }
    const made = await cluster.create(place, body, { manager })()
    if (made._tag === 'Left' && !(made.left._tag === 'Refused' && made.left.status === 409))
      throw new Error(JSON.stringify(made.left))
  }
