/**
 * A case for every code: `codes/<CODE>` holds the smallest input that gives it and what is printed then. Cases whose
 * `args.json` has `argv` run the command line over ports in memory: their golden is its stderr, then its stdout.
 * `cluster.json` is what the cluster has and how it fails; `home/` the folder of devtool.
 */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { main } from '../../src/cli/main.ts'
import { toStream } from '../../src/cli/terminal.ts'
import { readDockerConfig } from '../../src/domain/build/docker-config.ts'
import * as C from '../../src/domain/checked.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { isLive } from '../../src/domain/cluster/live.ts'
import { planUp } from '../../src/domain/dev/activate.ts'
import { codes } from '../../src/domain/diagnostic/codes.ts'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Problem } from '../../src/domain/platform/api/problem.ts'
import { cloneFailure } from '../../src/domain/platform/run/clone.ts'
import { queuedRun } from '../../src/domain/platform/run/request.ts'
import { stepRun } from '../../src/domain/platform/run/step.ts'
import { readSettings } from '../../src/domain/platform/settings.ts'
import type { Ports } from '../../src/ports/ports.ts'
import type { MemoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { memoryHome } from '../memory/home.ts'
import { memoryKeptFiles } from '../memory/kept-files.ts'
import { memoryNetwork } from '../memory/network.ts'
import { memoryPlatforms } from '../memory/platforms.ts'
import { silentCluster } from '../memory/silent.ts'
import { asleep } from '../support/cluster/asleep.ts'
import {
  fullRecord,
  interruptedWaiting,
  latecomers,
  lockedByAnother,
  lockTaken,
  madeMeanwhile,
  neverIssued,
  talkative,
} from '../support/cluster/deploy-cases.ts'
import { clusterIn } from '../support/cluster/memory-case.ts'
import { memoryPorts, noBackground } from '../support/cluster/memory-ports.ts'
import type { Files } from '../support/compose/project.ts'
import { devOf, requestOf } from '../support/dev/request.ts'
import { heldHome, impatientPrompt, noHome } from '../support/home/home-cases.ts'
import { withControllers } from '../support/kube/controllers.ts'
import { observedOf } from '../support/kube/live.ts'
import { startRunner } from '../support/platform/runner.ts'
import { stubborn } from '../support/platform/stubborn.ts'
import { isPerson, type TestPlatform, testPlatform } from '../support/platform/world.ts'
import {
  type Args,
  argsIn,
  compareGoldens,
  findingsText,
  foldersIn,
  goldenFolder,
  inputsIn,
  textOf,
  translationOf,
} from './golden.ts'

/** `write`: where progress goes. `interrupt`: Ctrl-C. `usual`: the world that the folder describes. */
type CaseContext = {
  readonly write: (text: string) => unknown
  readonly interrupt: () => void
  readonly usual: () => ReturnType<typeof memoryPorts>
}

const shopObject = (kind: string, change: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', namespace: 'default', labels: { 'dev.devtool/environment': 'shop' }, ...change },
})

/** A cluster with an object of the environment `shop`; `act` is told of every change in it. */
const shopWorld = (
  { write }: CaseContext,
  object: JsonObject,
  act: (cluster: MemoryCluster, removed: string) => void,
): Promise<Ports> => {
  const ports = memoryPorts({ disk: new Map(), write, cluster: { objects: [object] } })
  ports.cluster.onChange(({ _tag, object: { kind } }) => act(ports.cluster, _tag === 'Removed' ? kind : ''))
  return Promise.resolve(ports)
}

const worldWith = ({ write }: CaseContext, ports: Partial<Ports>): Promise<Ports> =>
  Promise.resolve(memoryPorts({ disk: new Map(), write, ports }))

/** Ctrl-C while a step runs. */
const interruptedBuilding = (world: Ports, interrupt: () => void): Ports => {
  const { tell } = world.progress
  return {
    ...world,
    progress: {
      ...world.progress,
      tell: (event) => {
        tell(event)
        if (event._tag === 'Vertex') interrupt()
      },
    },
  }
}

/** Who we are for registries is asked for once there is a builder. */
const brokenDockerConfig = (world: Ports): Ports => {
  const connect: Ports['builders']['connect'] = (choice, signal) => {
    for (const diagnostic of C.findings(readDockerConfig('/home/dev/.docker/config.json', '{"auths": {},}'))) {
      world.progress.tell({ _tag: 'Found', diagnostic })
    }
    return world.builders.connect(choice, signal)
  }
  return { ...world, builders: { connect } }
}

/** A copy of a file that was written again. */
const keptShop = (): Ports['keptFiles'] =>
  memoryKeptFiles(
    new Map([['/home/dev/.devtool/sync/1/kept', [{ path: 'src/main.ts', content: 'old', atMs: 1_795_388_400_000 }]]]),
    new Map([['/home/dev/shop/src/main.ts', 'new']]),
  )

/** A platform over a cluster in memory. */
const onPlatform = ({ usual }: CaseContext, { send }: TestPlatform): Ports => ({
  ...usual(),
  platforms: memoryPlatforms({ url: 'https://devtool.example.com', send }),
})

/** Worlds that no folder can hold, by code. */
const handMade: Readonly<Record<string, (context: CaseContext) => Promise<Ports>>> = {
  DT2103: (context) => worldWith(context, { prompt: impatientPrompt }),
  DT2104: (context) => worldWith(context, { home: noHome }),
  DT2106: (context) => worldWith(context, { home: heldHome() }),
  DT2111: async ({ usual }) => {
    const { send } = testPlatform()
    return { ...usual(), platforms: memoryPlatforms({ url: 'https://devtool.example.com', isTrusted: false, send }) }
  },
  DT2112: async (context) => onPlatform(context, testPlatform()),
  DT6411: async (context) => {
    const platform = testPlatform()
    startRunner(platform, { status: 'cancelled' })
    return onPlatform(context, platform)
  },
  DT6412: async (context) => onPlatform(context, stubborn()),
  DT3103: async ({ usual }) => madeMeanwhile(usual()),
  DT3110: async ({ usual }) => lockedByAnother(usual()),
  DT3111: async ({ usual }) => lockTaken(usual()),
  DT3112: async ({ usual }) => fullRecord(usual()),
  DT3121: async ({ interrupt, usual }) => interruptedWaiting(usual(), interrupt),
  DT3132: async ({ usual }) => talkative(usual(), 'spec.template.spec.containers[0].image: latest is deprecated here'),
  DT3170: (context) => {
    const clusters = memoryClusters(new Map([['test', silentCluster('demo')]]), new Map([['test', 'demo']]))
    return worldWith(context, { clusters })
  },
  DT3162: async ({ usual }) => neverIssued(usual()),
  DT3302: (context) =>
    shopWorld(context, shopObject('ConfigMap', { finalizers: ['example.com/guard'] }), (_, removed) => {
      if (removed === '') setTimeout(context.interrupt, 20)
    }),
  DT5030: async ({ usual }) => {
    const failure = error('DT5030', 'no process can be started in the background: too many processes')
    return { ...usual(), background: { ...noBackground, start: () => TE.left(failure) } }
  },
  DT5031: async ({ usual }) => ({
    ...usual(),
    home: memoryHome(
      new Map([
        ['up/api-204b7a32.log', 'using test, namespace default\nerror DT3409: port 8080 of this machine is in use\n'],
      ]),
    ),
    background: { ...noBackground, start: () => TE.right({ pid: 2, status: 7 }) },
  }),
  DT3308: (context) =>
    shopWorld(context, shopObject('Service'), (cluster, removed) => {
      if (removed === 'Service') cluster.put(shopObject('Service'))
    }),
  DT3409: async ({ usual }) => {
    const network = memoryNetwork()
    network.taken.add(5432)
    return { ...usual(), network }
  },
  DT4016: async ({ interrupt, usual }) => interruptedBuilding(usual(), interrupt),
  DT4030: async ({ usual }) => brokenDockerConfig(usual()),
  DT5022: async ({ usual }) => {
    const world = usual()
    const refused = TE.left(error('DT2006', 'cannot remove it: permission denied'))
    return { ...world, plainFolders: { ...world.plainFolders, remove: () => refused } }
  },
  DT5062: async ({ usual }) => asleep(usual()),
  DT5137: async ({ usual }) => ({ ...usual(), keptFiles: keptShop() }),
  DT5138: async ({ usual }) => ({
    ...usual(),
    keptFiles: { ...keptShop(), restore: () => TE.left('src is not a folder') },
  }),
  DT5139: async ({ usual }) => ({
    ...usual(),
    keptFiles: { ...keptShop(), conflicts: () => TE.left('permission denied') },
  }),
  DT5033: async ({ usual }) => ({ ...usual(), thisProcess: { pid: 1, isRunning: () => true } }),
  DT9001: () => Promise.reject(new Error('the disk adapter could not be loaded')),
}

/** What lies beside the project folder, which a case cannot hold. */
const outside: Files = { '../outside.env': 'LEVEL=debug\n' }

const isHome = ([path]: readonly [string, unknown]): boolean => path.startsWith('home/')

/** `cluster.json` and `home/` are no files of the project. */
const portsOver = (files: Files, write: (text: string) => unknown): ReturnType<typeof memoryPorts> => {
  const entries = Object.entries({ ...files, ...outside })
  const disk = new Map(
    entries
      .filter((entry) => !isHome(entry) && entry[0] !== 'cluster.json')
      .map(([path, content]) => [path, { _tag: 'File', bytes: new TextEncoder().encode(textOf(content)) }] as const),
  )
  const home = entries.filter(isHome).map(([path, content]) => [path.slice('home/'.length), textOf(content)] as const)
  const { slow, ...described } = clusterIn(textOf(files['cluster.json']))
  const ports = memoryPorts({ disk, write, print: write, home: new Map(home), ...described })
  withControllers(ports.cluster, latecomers(ports, slow))
  return ports
}

/** How long something took is no part of what is said of it. */
const withoutDurations = (printed: string): string =>
  printed.replaceAll(/ +\d+\.\ds/g, ' 0.0s').replaceAll(/\(\d+\.\ds\)/g, '(0.0s)')

const commandText = async (
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  files: Files,
  portsFor: (context: CaseContext) => Promise<Ports>,
): Promise<string> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(stderr), text(stdout)])
  const isTerminal = { stdout: false, stderr: false }
  const interrupted = new AbortController()
  let ports: Promise<Ports> | undefined
  const world = {
    env,
    stdout: toStream(stdout),
    stderr: toStream(stderr),
    cwd: '/home/dev/shop',
    separator: ':',
    version: '0.0.0',
    program: ['devtool'],
    isTerminal,
    interruption: () => interrupted.signal,
    ports: () => {
      const write = (said: string): unknown => stderr.write(said)
      // One world for the whole command, however often it is asked for.
      ports ??= portsFor({ write, interrupt: () => interrupted.abort(), usual: () => portsOver(files, write) })
      return ports
    },
  }
  await main([...argv], world)
  stdout.end()
  stderr.end()
  const [said, data] = (await printed).map(withoutDurations)
  return `$ devtool ${argv.join(' ')}\n${said}${argv.includes('--golden') || argv[0] === 'why' ? data : ''}`
}

const printedBy = (code: string, files: Files, args: Args): string | Promise<string> => {
  if (args.up !== undefined) return upText(files, args.up)
  if (args.settings !== undefined) return settingsText(files, args.settings)
  if (args.request !== undefined) return problemText(files, args.request)
  if (args.run !== undefined) return runText(files, args.run)
  if (args.argv === undefined) return findingsText(translationOf(files, args), files)
  return commandText(args.argv, args.shell ?? {}, files, handMade[code] ?? (({ usual }) => Promise.resolve(usual())))
}

const upText = (files: Files, more: NonNullable<Args['up']>): string => {
  const lives = clusterIn(textOf(files['cluster.json'])).cluster?.objects ?? []
  const planned = planUp(requestOf(devOf(files), more), observedOf(lives.filter(isLive)))
  const findings = planned._tag === 'Left' ? planned.left : planned.right.notices
  return findingsText({ findings }, files)
}

const settingsText = (files: Files, env: Readonly<Record<string, string>>): string => {
  const own = { version: '0.0.0', server: 'https://10.0.0.1', authority: '' }
  const findings = E.match(
    (failure: Diagnostic) => [failure],
    () => [],
  )(readSettings((name) => env[name], own))
  return findingsText({ findings }, files)
}

/** What the record of a run says about its end. */
const runText = (files: Files, { clone, now }: NonNullable<Args['run']>): string => {
  const repository = 'https://git.example.com/acme/shop.git'
  if (clone !== undefined) return findingsText({ findings: [cloneFailure({ repository }, clone)] }, files)
  const started = '2026-11-21T10:00:00Z'
  const who = { user: 'u-1', email: 'ann@example.com' }
  const request = { id: '0123456789abcdef', environment: 'shop', namespace: 'acme', who, now: started } as const
  const run = { ...queuedRun({ ...request, action: 'deploy', timeoutSeconds: 300 }), started }
  const pods = (clusterIn(textOf(files['cluster.json'])).cluster?.objects ?? []).filter(isLive)
  const act = stepRun({ run, isCancelled: false, job: undefined, pods, events: [], now })
  const failure = act._tag === 'Close' ? act.run.failure : undefined
  return findingsText({ findings: failure === undefined ? [] : [failure] }, files)
}

/** The last answer, as the finding that it is. */
const problemText = async (
  files: Files,
  { as, builder, method, path, times = 1, ...more }: NonNullable<Args['request']>,
): Promise<string> => {
  const failures = clusterIn(textOf(files['cluster.json'])).cluster?.failures ?? []
  const { send } = testPlatform({ failures, ...(builder === undefined ? {} : { builder }) })
  const person = isPerson(as) ? { as } : {}
  for (let sent = 1; sent < times; sent += 1) await send(method, path, { ...more, ...person })
  const answer = await send(method, path, { ...more, ...person })
  const { code, detail, title }: Problem = JSON.parse(await answer.text())
  const help = detail === undefined ? '' : `  help: ${detail}\n`
  return `> ${method} ${path}\n< ${answer.status}\nerror ${code}: ${title}\n${help}`
}

/** Explained still, but not reported any more. */
const retired = new Set(['DT5018'])

const cases = foldersIn(`${goldenFolder}/codes`)

test('every code has a case, and every case has a code', () => {
  const reported = Object.keys(codes).filter((code) => !retired.has(code))
  assert.equal(cases, reported.toSorted())
})

for (const code of cases) {
  test(`${code} is reported and printed`, async () => {
    const folder = `${goldenFolder}/codes/${code}`
    const printed = await printedBy(code, inputsIn(folder), argsIn(folder))
    assert.match(printed, new RegExp(`^(?:error|warning|note) ${code}: `, 'm'))
    compareGoldens(folder, { 'expected.txt': printed })
  })
}

test.run()
