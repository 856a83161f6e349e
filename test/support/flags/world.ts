/** Ports in memory that record everything a command does, created anew for each run. */
import { unzipSync } from 'fflate'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { main } from '../../../src/cli/main.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { Clusters } from '../../../src/ports/clusters.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import type { Prompt } from '../../../src/ports/prompt.ts'
import { memoryBuilders } from '../../memory/builder.ts'
import { settle } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryConsole } from '../../memory/console.ts'
import { memoryNetwork } from '../../memory/network.ts'
import { memoryPrompt } from '../../memory/prompt.ts'
import { diskOf, worldOf } from '../cli/cli.ts'
import { settled } from '../process/settled.ts'
import { keptShop } from '../sync/kept-shop.ts'
import { memoryAgent, startMirrors } from './agent.ts'
import { recordedPlatforms } from './recorded-platforms.ts'

const compose = `name: \${STACK:-shop}
services:
  web:
    image: nginx:\${TAG:-1}
    ports: ["80:80"]
    environment: {DB_PASSWORD: canary}
    volumes: [data:/data]
  debug: {image: busybox, profiles: [debug], environment: {API_TOKEN: canary}}
  job: {image: busybox, restart: "no"}
volumes: {data: {}}
`

/** The environment and `web` have the same address if the environment is also called `web`. */
const routes = `name: shop
services:
  web: {image: nginx, ports: ["80:80"]}
  api: {image: nginx, ports: ["81"]}
endpoints: [{path: /, service: api, port: 81}]
`

const built = `name: shop
services:
  web: {build: ., profiles: [debug]}
  api: {build: {context: ., args: {STACK: "\${STACK:-shop}"}}, environment: {DB_PASSWORD: canary}}
`

export const files = {
  'compose.yaml': compose,
  'other.yaml': 'name: other\nservices:\n  web: {image: nginx}\n',
  'prod.env': 'STACK=blog\nTAG=2\n',
  'build.yaml': built,
  Dockerfile: 'FROM scratch\nCOPY prod.env /\n',
  'secret.yaml': 'name: shop\nservices:\n  web: {image: nginx, secrets: [pw]}\nsecrets: {pw: {file: prod.env}}\n',
  'needy.yaml': 'name: shop\nservices:\n  web: {image: "nginx:${TAG:?}"}\n',
  'routes.yaml': routes,
  'host.yaml': 'name: shop\nservices:\n  web: {image: nginx, volumes: ["./page.html:/page.html"]}\n',
  'page.html': 'hello\n',
  'manifest.yml': 'name: shop\ndeploy: [echo hello]\ndestroy: [echo bye]\n',
}

const env = { DEVTOOL_RELEASE_URL: 'https://releases.test' }
const noClusters = memoryClusters(new Map())

const namespaceNamed = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

const serverOf = (objects: ReadonlyArray<JsonObject>): MemoryCluster =>
  memoryCluster({ objects: [...['demo', 'prod'].map(namespaceNamed), ...objects] })

/** Records requests. */
const overheard = (prompt: Prompt, log: Array<unknown>): Prompt => ({
  confirm: (question) => {
    log.push(question)
    return prompt.confirm(question)
  },
  choose: (question, choices) => {
    log.push(question)
    return prompt.choose(question, choices)
  },
  ask: (question) => {
    log.push(question)
    return prompt.ask(question)
  },
})

/** Records which context and which file were requested. */
const recorded = (clusters: Clusters, log: Array<unknown>): Clusters => {
  const note = <A>(what: string, choice: unknown, answer: A): A => {
    log.push([what, choice])
    return answer
  }
  return {
    ...clusters,
    kubeconfig: (file) => note('kubeconfig', file, clusters.kubeconfig(file)),
    connect: (choice) => note('connect', [choice.context, choice.file], clusters.connect(choice)),
    select: (choice) => note('select', choice, clusters.select(choice)),
  }
}

export type Setup = {
  /** Commands run before both runs. */
  readonly before?: ReadonlyArray<ReadonlyArray<string>>
  readonly files?: Readonly<Record<string, string>>
  readonly home?: Readonly<Record<string, string>>
  readonly objects?: ReadonlyArray<JsonObject>
  /** Changes to the cluster by somebody else before the run. */
  readonly meddle?: (cluster: MemoryCluster) => Promise<unknown>
  /** The registry has every image. */
  readonly hasImages?: boolean
  readonly hasNoKubeconfig?: boolean
  /** The cluster never responds to a list. */
  readonly isSilent?: boolean
  readonly isTerminal?: boolean
  /** Whether `up` has synchronised this folder, and kept copies. */
  readonly isSynchronised?: boolean
  /** Whether a user is at the terminal. */
  readonly isAttended?: boolean
  /** Whether pods of development containers run, and their agents answer. */
  readonly hasAgents?: boolean
  /** Called while a program runs in a development container. */
  readonly meanwhile?: (cluster: MemoryCluster) => unknown
  /** Whether other processes of this machine run. */
  readonly isSessionRunning?: boolean
  /** Interrupted with Ctrl-C. */
  readonly isInterrupted?: boolean
  /** Interrupted after this many requests to the cluster, for commands that poll. */
  readonly interruptedAfter?: number
  /** By the flag that would answer the question. */
  readonly answers?: Readonly<Record<string, string>>
}

/** Resolves once something has happened and then nothing more for a while. */
const whenQuiet = async (activity: () => number): Promise<void> => {
  while ((await settled(activity)) === 0) await settle(1)
  await settled(activity)
}

/** The contents of an archive, without times. */
const contentOf = (path: string, bytes: Uint8Array): unknown =>
  path.endsWith('.zip')
    ? Object.entries(unzipSync(bytes)).map(([name, content]) => [
        name,
        Buffer.from(content)
          .toString()
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
      ])
    : Buffer.from(bytes).toString('latin1')

/**
 * Everything that a user, files, builders and clusters get from a run. `steady`: without how often a wait looked again,
 * which depends on the machine.
 */
type Observed = { readonly said: string; readonly seen: string; readonly steady: string; readonly status: number }

export const observe = async (argv: ReadonlyArray<string>, setup: Setup): Promise<Observed> => {
  const disk = diskOf(setup.files ?? files)
  const tree = new Map<string, string>()
  const synchronised = setup.isSynchronised === true ? keptShop(tree) : {}
  const home = new Map([...Object.entries(setup.home ?? {}), ...(synchronised.home ?? [])])
  const log: Array<unknown> = []
  const cluster = serverOf(setup.objects ?? [])
  const namespaces = new Map([
    ['test', 'demo'],
    ['other', 'prod'],
  ])
  const logs: typeof cluster.logs = (key, options, signal) => {
    log.push(['logs', key.name, options])
    return cluster.logs(key, options, signal)
  }
  const contexts = new Map([
    [
      'test',
      { ...cluster, logs, ...(setup.isSilent === true ? { list: () => () => new Promise<never>(() => {}) } : {}) },
    ],
    ['other', cluster],
  ])
  const builders = memoryBuilders()
  const meanwhile = async (): Promise<void> => {
    setup.meanwhile?.(cluster)
    if (setup.meanwhile !== undefined) await settled(() => cluster.asked().length)
  }
  if (setup.hasAgents === true) startMirrors(cluster, log)
  const ports: Partial<Ports> = {
    clusters: recorded(setup.hasNoKubeconfig === true ? noClusters : memoryClusters(contexts, namespaces), log),
    builders,
    commands: {
      run: (invocation) => {
        log.push(invocation)
        return TE.right(0)
      },
      scratch: () => TE.right({ path: '/tmp/env', read: () => TE.right(''), remove: () => Promise.resolve() }),
    },
    network: memoryNetwork({
      ask: (url) => async () => {
        log.push(url)
        return { _tag: 'Answered', status: 200, ms: 1 }
      },
      read: () => TE.right('{"version": "9.0.0"}'),
    }),
    ...(setup.hasImages === true
      ? { registry: { digestOf: () => TE.right(`sha256:${'a'.repeat(64)}`), tag: () => TE.right(undefined) } }
      : {}),
    ...synchronised.ports,
    platforms: recordedPlatforms(log),
    ...(setup.isAttended === true ? { console: memoryConsole({ columns: 80, rows: 24, type: 'xterm' }) } : {}),
    ...(setup.hasAgents === true ? memoryAgent(log, meanwhile) : {}),
    ...(setup.isSessionRunning === true ? { thisProcess: { pid: 1, isRunning: () => true } } : {}),
    prompt: overheard(memoryPrompt(new Map(Object.entries(setup.answers ?? {}))), log),
  }
  const isTerminal = { stdout: setup.isTerminal ?? false, stderr: false }
  const run = async (args: ReadonlyArray<string>, { interruptedAfter, isInterrupted = false }: Setup) => {
    const { err, out, ports: own, world } = worldOf({ disk, env, isTerminal, memory: { home, ports } })
    const { cluster: _unused, ...real } = own
    const interruption = new AbortController()
    const askedBefore = cluster.asked().length
    let ended = 0
    const activity = (): number => ended + cluster.asked().length - askedBefore + out().length + err().length
    if (isInterrupted) void whenQuiet(activity).then(() => interruption.abort())
    const isOver = (): boolean => ended > 0 || cluster.asked().length - askedBefore >= (interruptedAfter ?? Infinity)
    const polled = async (): Promise<void> => {
      while (!isOver()) await settle(1)
      interruption.abort()
    }
    if (interruptedAfter !== undefined) void polled()
    const status = await main(args, {
      ...world,
      ports: () => Promise.resolve(real),
      interruption: () => interruption.signal,
    })
    ended = 1
    return { status, stdout: out(), stderr: err() }
  }
  for (const args of setup.before ?? []) await run(args, {})
  await setup.meddle?.(cluster)
  log.length = 0
  const asked = cluster.asked().length
  const ran = await run(argv, setup)
  const written = [...disk].map(([path, entry]) => [path, entry._tag === 'File' ? contentOf(path, entry.bytes) : entry])
  const choices = [builders.choices(), builders.solves()]
  // Requests that are sent at the same time have no order.
  const requests = cluster
    .asked()
    .slice(asked)
    .map((one) => JSON.stringify(one))
    .toSorted()
  const seenWith = (sent: ReadonlyArray<string>): string =>
    JSON.stringify([ran, written, [...home], [...tree], log, sent, choices], (key, value) =>
      value instanceof Map ? [...value] : key === 'signal' ? undefined : value,
    )
  const steady = seenWith([...new Set(requests)])
  return { said: ran.stdout + ran.stderr, seen: seenWith(requests), steady, status: ran.status }
}
