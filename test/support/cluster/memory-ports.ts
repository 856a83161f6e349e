/**
 * All ports in memory: one cluster with the context `test` or another, a settings folder, no terminal, commands without
 * effect.
 */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { plainProgress } from '../../../src/adapters/tty/plain.ts'
import { x509Certificates } from '../../../src/adapters/x509/certificates.ts'
import { type Diagnostic, error } from '../../../src/domain/diagnostic/diagnostic.ts'
import type { Weight } from '../../../src/ports/build-contexts.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import { memoryBuildContexts } from '../../memory/build-contexts.ts'
import { type BuilderScript, memoryBuilders } from '../../memory/builder.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import { type MemoryCluster, type MemoryClusterOptions, memoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryConsole } from '../../memory/console.ts'
import { type Entry, memoryFiles } from '../../memory/files.ts'
import { memoryFolders } from '../../memory/folders.ts'
import { memoryHome } from '../../memory/home.ts'
import { memoryKeptFiles } from '../../memory/kept-files.ts'
import { noLinks } from '../../memory/links.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { memoryNetwork } from '../../memory/network.ts'
import { memoryPlainFolders } from '../../memory/plain-folders.ts'
import { memoryPlatforms } from '../../memory/platforms.ts'
import { memoryProcesses } from '../../memory/processes.ts'
import { memoryPrompt } from '../../memory/prompt.ts'
import { memoryRandom } from '../../memory/random.ts'
import { memoryRegistry } from '../../memory/registry.ts'
import { noSyncedFolders } from '../../memory/synced-folders.ts'

/**
 * `write`: where progress goes, as plain lines; `print`: where the output of commands goes. `home`: files in devtool's
 * folder. `answers` by flag.
 */
export type MemoryWorld = {
  readonly disk: Map<string, Entry>
  readonly write: (text: string) => unknown
  readonly print?: (text: string) => unknown
  readonly cluster?: MemoryClusterOptions
  readonly home?: Map<string, string>
  readonly answers?: ReadonlyMap<string, string>
  /** The namespace of the context, which exists. */
  readonly namespace?: string
  readonly context?: string
  /** No kubeconfig at all. */
  readonly hasNoCluster?: boolean
  /** The finding when connecting. */
  readonly unusable?: Diagnostic
  /** The behaviour of the builder, and the digests in registries by reference. */
  readonly builder?: BuilderScript
  readonly digests?: Map<string, string>
  /** Sizes of build contexts by absolute path, instead of those of the files. */
  readonly weights?: ReadonlyMap<string, Weight>
  readonly ports?: Partial<Ports>
}

/**
 * Waits until pending imports have been loaded: imports complete in their order. On a busy machine that takes longer
 * than a step of the clock.
 */
const everythingLoaded = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) {
    await import('../../memory/clock.ts')
    await settle(10)
  }
}

/**
 * Twenty times as fast as a real clock, and stopped while nothing sleeps. The wall clock stands still, so that
 * durations of computations never appear in output.
 */
const hastyClock = (): Clock => {
  const clock = memoryClock()
  const [wallMs, date] = [clock.wallMs(), clock.date()]
  let isRunning = false
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    for (let ms = clock.nextMs(); ms !== undefined; ms = clock.nextMs()) {
      const stepMs = Math.min(ms, 200)
      await new Promise((resolve) => setTimeout(resolve, stepMs / 20))
      await everythingLoaded()
      const first = clock.nextMs()
      if (first !== undefined) await clock.advance(Math.min(first, stepMs))
    }
    isRunning = false
  }
  return {
    ...clock,
    wallMs: () => wallMs,
    date: () => date,
    sleep: (ms, signal) => {
      const slept = clock.sleep(ms, signal)
      void run()
      return slept
    },
  }
}

const pipe = (write: (text: string) => unknown) => ({ screen: { write }, isTerminal: false, color: false })

/** Used by tests that run in this folder. */
const projectFolders = ['/home/dev/shop', '/home/me/shop']

/** The files that exist at the time of the call. */
const contextsOn = (
  disk: ReadonlyMap<string, Entry>,
  weights: ReadonlyMap<string, Weight> = new Map(),
): Ports['buildContexts'] => {
  const now = () => {
    const texts = [...disk].flatMap(([path, entry]) =>
      entry._tag === 'File' ? [[path, new TextDecoder().decode(entry.bytes)] as const] : [],
    )
    return memoryBuildContexts(
      new Map(projectFolders.flatMap((cwd) => texts.map(([path, text]) => [`${cwd}/${path}`, text] as const))),
    )
  }
  return {
    hash: (choice, signal) => () => now().hash(choice, signal)(),
    weigh: (choice, signal) => {
      const weight = weights.get(choice.folder)
      return weight === undefined ? () => now().weigh(choice, signal)() : TE.right(weight)
    },
  }
}

const idle: Ports['commands'] = {
  run: () => TE.right(0),
  scratch: () => TE.right({ path: '/tmp/devtool-env', read: () => TE.right(''), remove: () => Promise.resolve() }),
}

export const noBackground: Ports['background'] = {
  given: undefined,
  ready: async () => {},
  start: () => TE.right({ pid: 2 }),
}

const noSharedConsoles: Ports['sharedConsoles'] = {
  share: () => TE.left('there are no sockets'),
  attach: () => () => Promise.resolve(undefined),
}

export const noGit: Ports['git'] = {
  head: () => Promise.resolve({}),
  tip: () => TE.right({}),
  clone: (repository) =>
    TE.left(
      error('DT3150', `cannot clone ${repository}: there is no network`, {
        help: 'check the address, the branch, and that `git clone` works with it in this shell',
      }),
    ),
}

export const memoryPorts = (world: MemoryWorld): Ports & { readonly cluster: MemoryCluster } => {
  const {
    answers,
    context = 'test',
    disk,
    hasNoCluster = false,
    home,
    namespace,
    ports,
    print = () => {},
    write,
  } = world
  const clock = hastyClock()
  const homes = namespace === undefined ? [] : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]
  const cluster = memoryCluster({ ...world.cluster, objects: [...homes, ...(world.cluster?.objects ?? [])] })
  const files = memoryFiles(disk)
  const { unusable } = world
  const namespaces = new Map(namespace === undefined ? [] : [[context, namespace]])
  const clusters = memoryClusters(new Map(hasNoCluster ? [] : [[context, cluster]]), namespaces)
  return {
    files,
    writer: files,
    folders: memoryFolders(disk),
    plainFolders: memoryPlainFolders(disk),
    platforms: memoryPlatforms(),
    clusters: unusable === undefined ? clusters : { ...clusters, connect: () => TE.left(unusable) },
    builders: memoryBuilders(world.builder),
    buildContexts: contextsOn(disk, world.weights),
    registry: memoryRegistry(world.digests),
    commands: idle,
    processes: memoryProcesses(),
    git: noGit,
    home: memoryHome(home),
    clock,
    machine: memoryMachine('dev@desk', 'dev@desk (process 1, 0)'),
    random: memoryRandom,
    certificates: () => Promise.resolve(x509Certificates),
    network: memoryNetwork(),
    prompt: memoryPrompt(answers),
    links: noLinks,
    keptFiles: memoryKeptFiles(),
    syncedFolders: noSyncedFolders,
    console: memoryConsole(),
    progress: plainProgress({ clock: { ...clock, every: () => () => {} }, stderr: pipe(write), stdout: pipe(print) }),
    background: noBackground,
    sharedConsoles: noSharedConsoles,
    thisProcess: { pid: 1, isRunning: () => false },
    agent: { read: TE.right({ 'install.cjs': 'aW5zdGFsbA==' }) },
    ...ports,
    cluster,
  }
}
