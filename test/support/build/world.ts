/** A folder, a builder, registries and commands in memory, in which builds run and all requests are recorded. */
import type { PassThrough } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import { main } from '../../../src/cli/main.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import type { BuilderChoice, Builders } from '../../../src/ports/builder.ts'
import type { Invocation } from '../../../src/ports/commands.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import type { Registry } from '../../../src/ports/registry.ts'
import { type BuilderScript, memoryBuilders, type ScriptedBuild } from '../../memory/builder.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import type { Entry } from '../../memory/files.ts'
import { memoryRegistry } from '../../memory/registry.ts'
import { diskOf, worldOf } from '../cli/cli.ts'
import type { MemoryWorld } from '../cluster/memory-ports.ts'

type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** `isSilent`: no registry answers. `wrap` changes the builders. `exit`: the status and output of every command. */
type CommandOptions = {
  readonly files: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly builder?: BuilderScript
  readonly digests?: Map<string, string>
  readonly isSilent?: boolean
  readonly wrap?: (builders: Builders) => Builders
  readonly exit?: { readonly status: number; readonly output: string }
  readonly memory?: Partial<MemoryWorld>
}

export type BuildWorld = {
  /** The folder, which may change between runs. */
  readonly disk: Map<string, Entry>
  readonly digests: Map<string, string>
  /** Requests to the builder, in order. */
  readonly solves: () => ReadonlyArray<Solve>
  readonly connected: () => number
  readonly choices: () => ReadonlyArray<BuilderChoice>
  readonly open: () => number
  /** `look REFERENCE`, `tag FROM TO`. */
  readonly asked: ReadonlyArray<string>
  readonly commands: ReadonlyArray<Invocation>
  readonly interrupt: () => void
  /** Writes to the cluster of the last run, like `create Deployment/web`, without access reviews. */
  readonly writes: () => ReadonlyArray<string>
  /** Objects in the cluster of the last run. */
  readonly objects: (kind: KnownKind, namespace: string) => Promise<ReadonlyArray<unknown>>
  readonly run: (...argv: ReadonlyArray<string>) => Promise<CommandResult>
}

const noRegistry = error('DT4013', 'registry.example.com: connection refused')

const recorded = (registry: Registry, asked: Array<string>, isSilent: boolean): Registry => ({
  digestOf: (reference, signal) => {
    asked.push(`look ${reference}`)
    return isSilent ? TE.left(noRegistry) : registry.digestOf(reference, signal)
  },
  tag: (from, to, signal) => {
    asked.push(`tag ${from} ${to}`)
    return registry.tag(from, to, signal)
  },
})

const recording = (
  commands: Array<Invocation>,
  { output, status }: NonNullable<CommandOptions['exit']>,
): Ports['commands'] => ({
  run: (invocation, onOutput) => {
    commands.push(invocation)
    onOutput(output)
    return TE.right(status)
  },
  scratch: () => TE.right({ path: '/memory/env', read: () => TE.right(''), remove: () => Promise.resolve() }),
})

const changes = new Set(['create', 'update', 'patch', 'apply', 'delete'])

export const buildWorld = (given: CommandOptions): BuildWorld => {
  const { wrap = (builders) => builders, digests = new Map<string, string>(), env = {}, isSilent = false } = given
  const disk = diskOf(given.files)
  const builders = memoryBuilders(given.builder)
  const asked: Array<string> = []
  const commands: Array<Invocation> = []
  const interruption = new AbortController()
  const ports: Partial<Ports> = {
    builders: wrap(builders),
    registry: recorded(memoryRegistry(digests), asked, isSilent),
    commands: recording(commands, given.exit ?? { status: 0, output: '' }),
    ...given.memory?.ports,
  }
  let cluster: MemoryCluster | undefined
  return {
    disk,
    digests,
    solves: builders.solves,
    connected: () => builders.choices().length,
    choices: builders.choices,
    open: builders.open,
    asked,
    commands,
    interrupt: () => interruption.abort(),
    writes: () =>
      (cluster?.asked() ?? [])
        .filter(({ verb, what }) => changes.has(verb) && !what.includes('review'))
        .map(({ verb, what }) => `${verb} ${what}`),
    objects: async (kind, namespace) => {
      const list = await cluster?.list({ resource: resources[kind], namespace })()
      return list?._tag === 'Right' ? list.right.items : []
    },
    run: async (...argv) => {
      const { err, out, ports: all, stderr, stdout, world } = worldOf({ disk, env, memory: { ...given.memory, ports } })
      cluster = all.cluster
      const shown = (screen: PassThrough) => ({ screen, isTerminal: false, color: false })
      const streams = { stdout: shown(stdout), stderr: shown(stderr) }
      const status = await main(argv, {
        ...world,
        interruption: () => interruption.signal,
        ports: ({ form: mode, hasDocument } = { form: 'plain', hasDocument: false, hasEnd: false, isDebug: false }) => {
          const shownOn = { ...streams, ...(hasDocument ? { stdout: streams.stderr } : {}) }
          const progress = ttyProgress({ ...shownOn, mode, env, clock: all.clock, onExit: () => {} })
          return Promise.resolve({ ...all, progress })
        },
      })
      return { status, stdout: out(), stderr: err() }
    },
  }
}

/** Builds of names in `script` do what it says. */
export const scripted = (script: Readonly<Record<string, ScriptedBuild>>): ReadonlyMap<string, ScriptedBuild> =>
  new Map(Object.entries(script))

/** Holds builds until `count` of them run at the same time, but not forever. `most`: the largest number seen. */
export const barrier = (count: number) => {
  let [running, most] = [0, 0]
  let release = (): void => {}
  const met = new Promise<void>((resolve) => {
    const guard = setTimeout(resolve, 10_000)
    release = () => {
      clearTimeout(guard)
      resolve()
    }
  })
  const wrap = (builders: Builders): Builders => ({
    connect: (choice, signal) => async () => {
      const builder = await builders.connect(choice, signal)()
      if (E.isLeft(builder)) return builder
      const { build } = builder.right
      const gated: typeof build = (solve, tell, cancel) => async () => {
        running += 1
        most = Math.max(most, running)
        if (running === count) release()
        await met
        running -= 1
        return build(solve, tell, cancel)()
      }
      return E.right({ ...builder.right, build: gated })
    },
  })
  return { wrap, most: () => most }
}
