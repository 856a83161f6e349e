/** Every port in memory: one cluster under the context `test` or another, a folder of devtool, nobody to ask, commands that do nothing. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { plainProgress } from '../../src/adapters/tty/plain.ts'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Weight } from '../../src/ports/build-contexts.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { memoryBuildContexts } from '../memory/build-contexts.ts'
import { type BuilderScript, memoryBuilders } from '../memory/builder.ts'
import { memoryClock, settle } from '../memory/clock.ts'
import { type MemoryCluster, type MemoryClusterOptions, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { memoryConsole } from '../memory/console.ts'
import { type Entry, memoryFiles } from '../memory/files.ts'
import { memoryFolders } from '../memory/folders.ts'
import { memoryHome } from '../memory/home.ts'
import { noLinks } from '../memory/links.ts'
import { memoryMachine } from '../memory/machine.ts'
import { memoryNetwork } from '../memory/network.ts'
import { memoryPlainFolders } from '../memory/plain-folders.ts'
import { memoryProcesses } from '../memory/processes.ts'
import { memoryPrompt } from '../memory/prompt.ts'
import { memoryRegistry } from '../memory/registry.ts'

/** `write`: where progress goes, as plain lines; `print`: where the output of commands goes. `home`: files of the folder of devtool. `answers` by flag. */
export type MemoryWorld = {
  readonly disk: Map<string, Entry>
  readonly write: (text: string) => unknown
  readonly print?: (text: string) => unknown
  readonly cluster?: MemoryClusterOptions
  readonly home?: Map<string, string>
  readonly answers?: ReadonlyMap<string, string>
  /** That of the context, which is there. */
  readonly namespace?: string
  readonly context?: string
  /** No kubeconfig at all. */
  readonly hasNoCluster?: boolean
  /** What connecting finds. */
  readonly unusable?: Diagnostic
  /** What the builder does, and the digests that registries have by reference. */
  readonly builder?: BuilderScript
  readonly digests?: Map<string, string>
  /** Of build contexts by absolute path, in place of what is there. */
  readonly weights?: ReadonlyMap<string, Weight>
  readonly ports?: Partial<Ports>
}

/**
 * Modules that are imported meanwhile, one after another, have been loaded: imports are answered in their order. On a busy
 * machine, that takes longer than a step of the clock.
 */
const everythingLoaded = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) {
    await import('../memory/clock.ts')
    await settle(10)
  }
}

/** Twenty times as fast as real ones, and still while nobody sleeps: durations do not depend on the machine. */
const hastyClock = (): Clock => {
  const clock = memoryClock()
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
    sleep: (ms, signal) => {
      const slept = clock.sleep(ms, signal)
      void run()
      return slept
    },
  }
}

const pipe = (write: (text: string) => unknown) => ({ screen: { write }, isTerminal: false, color: false })

/** Of tests that name their folder so. */
const projectFolders = ['/home/dev/shop', '/home/me/shop']

/** The files that are on the disk when they are asked for. */
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
    network: memoryNetwork(),
    prompt: memoryPrompt(answers),
    links: noLinks,
    seeds: { pack: (folder) => TE.left(`${folder} is not a folder`) },
    console: memoryConsole(),
    progress: plainProgress({ clock: { ...clock, every: () => () => {} }, stderr: pipe(write), stdout: pipe(print) }),
    thisProcess: { pid: 1, isRunning: () => false },
    agent: { read: TE.right({ 'install.cjs': 'aW5zdGFsbA==' }) },
    ...ports,
    cluster,
  }
}
