/** The port `Builders` for tests: the result of each image is scripted. */
import * as E from 'fp-ts/lib/Either.js'
import type { BuildEvent, Lint } from '../../src/domain/build/event.ts'
import type { BuildFailure } from '../../src/domain/build/failure.ts'
import type { Solve, Solved } from '../../src/domain/build/solve.ts'
import type { Builder, BuilderChoice, Builders } from '../../src/ports/builder.ts'

/** Without a `failure` the build succeeds. `endless`: runs until the signal. */
export type ScriptedBuild = {
  readonly events?: ReadonlyArray<BuildEvent>
  readonly failure?: BuildFailure
  readonly solved?: Solved
  readonly endless?: boolean
}

/**
 * `images`: by the first of their names. `lints`: the findings of a check, for any Dockerfile. `unreachable`:
 * connecting fails.
 */
export type BuilderScript = {
  readonly kind?: Builder['kind']
  readonly images?: ReadonlyMap<string, ScriptedBuild>
  readonly lints?: ReadonlyArray<Lint>
  readonly unreachable?: BuildFailure
}

export type MemoryBuilders = Builders & {
  /** The builds that were requested, in order. */
  readonly choices: () => ReadonlyArray<BuilderChoice>
  readonly solves: () => ReadonlyArray<Solve>
  /** The number of open connections. */
  readonly open: () => number
}

const aborted: E.Either<BuildFailure, never> = E.left({ _tag: 'Aborted' })

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Images without a script are built silently. Each gets its own digest. */
export const memoryBuilders = ({
  images,
  kind = 'BuildKit',
  lints = [],
  unreachable,
}: BuilderScript = {}): MemoryBuilders => {
  const choices: Array<BuilderChoice> = []
  const solves: Array<Solve> = []
  let open = 0
  const build: Builder['build'] = (solve, tell, signal) => async () => {
    if (signal.aborted) return aborted
    const digest = `sha256:${`${solves.push(solve)}`.padStart(64, '0')}`
    const { endless = false, events = [], failure, solved = { digest } } = images?.get(solve.names[0] ?? '') ?? {}
    for (const event of events) tell([event])
    if (endless) await untilAborted(signal)
    if (signal.aborted) return aborted
    return failure === undefined ? E.right(solved) : E.left(failure)
  }
  const connected = (): Builder => {
    let isOpen = true
    open += 1
    const close = (): void => {
      if (isOpen) open -= 1
      isOpen = false
    }
    return { kind, build, check: (_, signal) => async () => (signal.aborted ? aborted : E.right({ lints })), close }
  }
  return {
    connect: (choice, signal) => async () => {
      choices.push(choice)
      if (signal.aborted) return aborted
      return unreachable === undefined ? E.right(connected()) : E.left(unreachable)
    },
    choices: () => choices,
    solves: () => solves,
    open: () => open,
  }
}
