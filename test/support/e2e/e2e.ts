/**
 * A real cluster ($KUBECONFIG) for tests of the built command: prints which one it is, gives each scenario its own
 * namespace and folder, and removes both at the end.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject, type Json, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { type KnownKind, pathOf, pathOfAll, resources } from '../../../src/domain/cluster/resources.ts'
import { installed } from '../cli/installed.ts'
import { type ApiServer, connect } from '../kube/api-server.ts'
import { until } from '../process/until.ts'
import { type CommandResult, type RunningCommand, type Start, shown, startDevtool } from './command.ts'
import { type Tmux, withTmux } from './tmux.ts'

/** The command in the folder of a scenario, against its namespace. */
type Commands = {
  readonly start: (command: string, ...args: ReadonlyArray<string>) => RunningCommand
  readonly run: (command: string, ...args: ReadonlyArray<string>) => Promise<CommandResult>
  /** The same in a terminal, for `use`, where questions are asked; it is closed afterwards. */
  readonly inTerminal: (words: ReadonlyArray<string>, use: (terminal: Tmux) => Promise<void>) => Promise<void>
  /** Like `run`, but it must succeed. */
  readonly must: (command: string, ...args: ReadonlyArray<string>) => Promise<CommandResult>
}

/** One scenario's namespace and folder, with operations on them. */
export type Space = Commands & {
  readonly namespace: string
  readonly folder: string
  /** Writes a file in a scratch folder, which is `folder` unless the scenario named another; returns its full path. */
  readonly write: (path: string, text: string) => string
  /** The same commands with another kubeconfig and context. */
  readonly through: (kubeconfig: string, context: string) => Commands
  readonly list: (kind: KnownKind, labels?: string) => Promise<ReadonlyArray<ClusterObject>>
  readonly get: (kind: KnownKind, name: string) => Promise<ClusterObject | undefined>
  readonly create: (kind: KnownKind, body: JsonObject) => Promise<void>
  /** A JSON merge patch. */
  readonly merge: (kind: KnownKind, name: string, body: JsonObject) => Promise<void>
  readonly remove: (kind: KnownKind, name: string) => Promise<void>
  /** The body of a Service's response inside the cluster; `undefined` unless the status is 2xx. */
  readonly inside: (service: string, port: number, path?: string) => Promise<string | undefined>
  /** Waits for a response, on port 8080 by default: endpoints follow pods. A text is all of it but white space at its ends. */
  readonly serves: (service: string, expected: string | RegExp, at?: { port?: number; path?: string }) => Promise<void>
}

export type Lab = {
  readonly api: ApiServer
  readonly context: string
  readonly nodes: ReadonlyArray<ClusterObject>
  /** Gives `run` a namespace and a folder, and deletes the namespace afterwards. */
  readonly within: (name: string, options: SpaceOptions, run: (space: Space) => Promise<void>) => Promise<void>
}

/**
 * `folder`: used instead of a new one. `env`: added to that of every run. `kubeconfig`: used instead of $KUBECONFIG.
 * `labels`: of the namespace.
 */
export type SpaceOptions = {
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  readonly kubeconfig?: string
  readonly labels?: JsonObject
}

const read = (text: string): Json => {
  const json: Json = JSON.parse(text)
  return json
}

const send = async (api: ApiServer, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: JsonObject) => {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await api.send({ method, path, ...(body === undefined ? {} : { body: JSON.stringify(body), type }) })
  if (answer.status === 404 && method !== 'POST') return undefined
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return read(answer.body)
}

/** Items of a list have no kind and apiVersion. */
const listObjects = async (
  api: ApiServer,
  kind: KnownKind,
  namespace?: string,
  labels = '',
): Promise<ReadonlyArray<ClusterObject>> => {
  const resource = resources[kind]
  const path = pathOfAll({ resource, ...(namespace === undefined ? {} : { namespace }) })
  const list = await send(api, 'GET', `${path}?labelSelector=${encodeURIComponent(labels)}`)
  const apiVersion = textAt(list, 'apiVersion') ?? ''
  return listAt(list, 'items').flatMap((item) => {
    const live = isObject(item) ? { ...item, kind, apiVersion } : undefined
    return isLive(live) ? [live] : []
  })
}

const objectsOf = (api: ApiServer, namespace: string) => {
  const path = (kind: KnownKind, name: string): string => pathOf({ resource: resources[kind], namespace, name })
  const inside = async (service: string, port: number, page = '/'): Promise<string | undefined> => {
    const proxied = `${path('Service', `${service}:${port}`)}/proxy${page}`
    const answer = await api.send({ method: 'GET', path: proxied })
    return answer.status < 300 ? answer.body : undefined
  }
  return {
    list: (kind: KnownKind, labels?: string) => listObjects(api, kind, namespace, labels),
    get: async (kind: KnownKind, name: string) => {
      const live = await send(api, 'GET', path(kind, name))
      return isLive(live) ? live : undefined
    },
    create: async (kind: KnownKind, body: JsonObject) => {
      await send(api, 'POST', pathOfAll({ resource: resources[kind], namespace }), body)
    },
    merge: async (kind: KnownKind, name: string, body: JsonObject) => {
      const live = await send(api, 'PATCH', path(kind, name), body)
      if (live === undefined) throw new Error(`${kind}/${name} is not there`)
    },
    remove: async (kind: KnownKind, name: string) => {
      await send(api, 'DELETE', path(kind, name))
    },
    inside,
    serves: async (service: string, expected: string | RegExp, { port = 8080, path: page = '/' } = {}) => {
      let last = ''
      const isServed = async (): Promise<boolean> => {
        last = (await inside(service, port, page)) ?? ''
        return typeof expected === 'string' ? last.trim() === expected : expected.test(last)
      }
      await until(() => `${expected} from ${service}, which responds ${last}`, isServed)
    },
  }
}

const contextIn = (name: string): string => /\(context (\S+) of /.exec(name)?.[1] ?? ''

const introduce = async (api: ApiServer, nodes: ReadonlyArray<ClusterObject>): Promise<void> => {
  const version = textAt(await send(api, 'GET', '/version'), 'gitVersion')
  const names = nodes.map(({ metadata }) => metadata.name)
  const some = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  process.stdout.write(
    `cluster ${api.name}, Kubernetes ${version}, ${names.length === 0 ? 'no nodes' : `nodes ${some}`}\n`,
  )
}

const writes: ReadonlySet<string> = new Set(['deploy', 'destroy'])

const commandsOf = (place: Start, context: string, namespace: string): Commands => {
  const words = (command: string, args: ReadonlyArray<string>, isAttended = false): ReadonlyArray<string> => {
    // These commands contact no cluster.
    if (command === 'sync') return [command, ...args]
    const plain = writes.has(command) && !isAttended ? ['--yes', '--progress', 'plain'] : []
    return [command, '--context', context, '--namespace', namespace, ...plain, ...args]
  }
  const start: Commands['start'] = (command, ...args) => startDevtool(words(command, args), place)
  const run: Commands['run'] = (command, ...args) => start(command, ...args).ended
  const must: Commands['must'] = async (command, ...args) => {
    const ended = await run(command, ...args)
    if (ended.status !== 0) throw new Error(`${command} ${args.join(' ')} in ${namespace}: ${shown(ended)}`)
    return ended
  }
  const inTerminal: Commands['inTerminal'] = ([command = '', ...args], use) =>
    withTmux([...installed, ...words(command, args, true)], place, use)
  return { start, run, must, inTerminal }
}

type ScenarioContext = {
  readonly api: ApiServer
  readonly context: string
  readonly folder: string
  readonly prefix: string
}

const makeSpace = async (
  { api, context, folder, prefix }: ScenarioContext,
  name: string,
  options: SpaceOptions,
): Promise<Space> => {
  const namespace = `${prefix}-${name}`
  const metadata = { name: namespace, labels: options.labels ?? {} }
  await send(api, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  // Pods are refused until it exists.
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`
  await until('the namespace has an account', async () => (await send(api, 'GET', account)) !== undefined)
  const home = join(folder, name)
  const scratch = join(home, 'files')
  const own = options.folder ?? scratch
  mkdirSync(scratch, { recursive: true })
  const { KUBECONFIG = '', PATH = '' } = process.env
  const env = { PATH, HOME: home, DEVTOOL_HOME: join(home, '.devtool'), NO_COLOR: '1', ...options.env }
  const through: Space['through'] = (kubeconfig, way) =>
    commandsOf({ cwd: own, env: { ...env, KUBECONFIG: kubeconfig } }, way, namespace)
  return {
    ...objectsOf(api, namespace),
    ...through(options.kubeconfig ?? KUBECONFIG, context),
    namespace,
    folder: own,
    through,
    write: (path, text) => {
      const file = join(scratch, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
  }
}

const open = async (): Promise<Lab> => {
  const api = await connect(process.env['KUBECONFIG'])
  const nodes = await listObjects(api, 'Node')
  await introduce(api, nodes)
  const folder = mkdtempSync(join(tmpdir(), 'devtool-e2e-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const prefix = `devtool-e2e-${Date.now().toString(36)}-${process.pid}`
  const scenario: ScenarioContext = { api, context: contextIn(api.name), folder, prefix }
  return {
    api,
    context: scenario.context,
    nodes,
    within: async (name, options, run) => {
      const space = await makeSpace(scenario, name, options)
      try {
        await run(space)
      } finally {
        await send(api, 'DELETE', `/api/v1/namespaces/${space.namespace}`)
      }
    },
  }
}

let opened: Promise<Lab> | undefined

/** One per process. Fails with a readable message if there is no cluster. */
export const openLab = (): Promise<Lab> => {
  opened ??= open()
  return opened
}
