/**
 * Puts the platform's admission policies into effect. A policy applies to the whole cluster, so they only note at first
 * what they would refuse; then everybody's requests are tried with and without them, and if anything fails that worked
 * before, they are removed again.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, serverWords } from '../../domain/cluster/failure.ts'
import { numberAt, textAt } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { bindingsOf, type Enforcement } from '../../domain/platform/manifests/policies.ts'
import {
  harmless,
  PROBE_SELECTOR,
  type ProbeKind,
  probeNamespace,
  refused,
} from '../../domain/platform/manifests/probe.ts'
import type { AdmissionPolicy } from '../../domain/platform/manifests/types.ts'
import type { Clock } from '../../ports/clock.ts'
import { MANAGER } from '../actions/apply.ts'
import { atMost, deadline, leavingMs } from '../concurrency/deadline.ts'
import { applyObjects, removeObjects, type Writes } from './objects.ts'

type Trying = Writes & { readonly clock: Clock }

const TRIAL_MS = 10_000
const EFFECT_MS = 60_000
const PAUSE_MS = 250

/** Again and again until it succeeds, or the time is over; then the last failure. */
const within =
  <A>({ clock, signal }: Trying, ms: number, work: (late: AbortSignal) => TE.TaskEither<string, A>) =>
  async (): Promise<string | undefined> => {
    const failure = (late: AbortSignal): Promise<string | undefined> =>
      TE.match(
        (words: string): string | undefined => words,
        () => undefined,
      )(work(late))()
    const ends = deadline(clock, ms, signal)
    try {
      let last = await failure(ends.signal)
      while (last !== undefined && !ends.signal.aborted) {
        await clock.sleep(PAUSE_MS, ends.signal)
        if (!ends.signal.aborted) last = await failure(ends.signal)
      }
      return last
    } finally {
      ends.clear()
    }
  }

const wordsOf = (failure: Failure): string => serverWords(failure) ?? 'no answer'
const inWords = TE.mapLeft(wordsOf)

type Trials = ReadonlyMap<ProbeKind, string | undefined>

/** Creates and deletes each; what fails because the namespace is new is tried again. */
const trials = (trying: Trying, namespace: string): T.Task<Trials> => {
  const { cluster } = trying
  const trial = ({ body, kind, name }: (typeof harmless)[number]): T.Task<readonly [ProbeKind, string | undefined]> => {
    const resource = resources[kind]
    const work = (signal: AbortSignal): TE.TaskEither<string, unknown> =>
      pipe(
        cluster.create({ resource, namespace }, body, { manager: MANAGER, signal }),
        TE.flatMap(() => cluster.remove({ resource, namespace, name }, { propagation: 'Background', signal })),
        inWords,
      )
    return T.map((failed: string | undefined) => [kind, failed] as const)(within(trying, TRIAL_MS, work))
  }
  return T.map((all: ReadonlyArray<readonly [ProbeKind, string | undefined]>) => new Map(all))(
    T.traverseArray(trial)(harmless),
  )
}

const typeError = (live: ClusterObject | undefined): string | undefined => {
  if (live === undefined || numberAt(live, 'status', 'observedGeneration') !== live.metadata.generation) {
    return 'it is not compiled'
  }
  return textAt(live, 'status', 'typeChecking', 'expressionWarnings', 0, 'warning')
}

/** What is wrong with the policies themselves: the API server compiles them after it has stored them. */
const typeErrors = (trying: Trying, policies: ReadonlyArray<AdmissionPolicy>): T.Task<string | undefined> => {
  const resource = resources.ValidatingAdmissionPolicy
  const check =
    (signal: AbortSignal) =>
    (policy: AdmissionPolicy): TE.TaskEither<string, unknown> => {
      const { name } = policy.metadata
      return pipe(
        inWords(trying.cluster.get({ resource, name }, signal)),
        TE.flatMapEither((live) => {
          const wrong = typeError(live)
          return wrong === undefined ? E.right(undefined) : E.left(`${name}: ${wrong}`)
        }),
      )
    }
  return within(trying, EFFECT_MS, (signal) => TE.traverseArray(check(signal))(policies))
}

/** Whether the policies refuse what they are there to refuse. */
const inEffect = (trying: Trying, namespace: string): T.Task<string | undefined> => {
  const check =
    (signal: AbortSignal) =>
    ({ body, kind, policy }: (typeof refused)[number]) => {
      const options = { manager: MANAGER, isDryRun: true, signal }
      return pipe(
        trying.cluster.create({ resource: resources[kind], namespace }, body, options),
        TE.matchE(
          (failure) => (wordsOf(failure).includes(policy) ? TE.right(undefined) : TE.left(wordsOf(failure))),
          () => TE.left(`${policy} refuses nothing`),
        ),
      )
    }
  return within(trying, EFFECT_MS, (signal) => TE.traverseSeqArray(check(signal))(refused))
}

const harmful = (what: string): Diagnostic =>
  error('DT6301', `the admission policies were removed again: ${what}`, {
    help: 'without them the platform could leave its namespaces, so it is not installed',
  })

const interrupted = error('DT3007', 'the installation was interrupted while its policies were tried', {
  help: 'run the command again to continue',
})

const REMAINING =
  'remove what is left of them with `kubectl delete validatingadmissionpolicybindings,validatingadmissionpolicies -l dev.devtool/platform=system`'

/** What an earlier run has left too. */
const sweep = ({ cluster, signal }: Writes): TE.TaskEither<Diagnostic, void> =>
  pipe(
    cluster.list({ resource: resources.Namespace, labels: PROBE_SELECTOR }, { signal }),
    TE.flatMap(({ items }) =>
      TE.traverseArray(({ metadata: { name, uid } }: ClusterObject) =>
        cluster.remove({ resource: resources.Namespace, name }, { uid, propagation: 'Background', signal }),
      )(items),
    ),
    TE.mapBoth(failureDiagnostic, () => undefined),
  )

const unless = (found: string | undefined): E.Either<Diagnostic, void> =>
  found === undefined ? E.right(undefined) : E.left(harmful(found))

const harmIn = (before: Trials, after: Trials): string | undefined => {
  const [kind, failed] = [...after].find(([one, now]) => now !== undefined && before.get(one) === undefined) ?? []
  return kind === undefined
    ? undefined
    : `with them, a ${kind} outside of the platform's namespaces was refused: ${failed}`
}

type Spaces = { readonly isFirst: boolean; readonly plain: string; readonly managed: string }

const compared = (
  trying: Trying,
  policies: ReadonlyArray<AdmissionPolicy>,
  { isFirst, managed, plain }: Spaces,
): TE.TaskEither<Diagnostic, void> => {
  const bind = (enforcement: Enforcement) => applyObjects(trying, bindingsOf(policies, enforcement))
  // Those of an earlier version are in effect already, and stay so while they are replaced.
  const without: TE.TaskEither<Diagnostic, Trials> = pipe(
    isFirst ? bind('Audit') : TE.right(undefined),
    TE.tap(() => pipe(TE.fromTask(typeErrors(trying, policies)), TE.flatMapEither(unless))),
    TE.flatMapTask((): T.Task<Trials> => (isFirst ? trials(trying, plain) : T.of(new Map()))),
  )
  return pipe(
    without,
    TE.tap(() => bind('Deny')),
    TE.tap(() => pipe(TE.fromTask(inEffect(trying, managed)), TE.flatMapEither(unless))),
    TE.bindTo('before'),
    TE.bind('after', () => TE.fromTask(trials(trying, plain))),
    TE.flatMapEither(({ after, before }) => unless(harmIn(before, after))),
  )
}

/** Not with the signal of the run: an interruption must not leave them half in effect. */
const leaving = async (
  { clock, cluster, signal }: Trying,
  run: (writing: Writes) => TE.TaskEither<Diagnostic, void>,
): Promise<boolean> => {
  const done = await atMost(clock, leavingMs(signal), (late) => run({ cluster, signal: late })())
  return done !== undefined && E.isRight(done)
}

const hasBindings = ({ cluster, signal }: Trying, policies: ReadonlyArray<AdmissionPolicy>) => {
  const resource = resources.ValidatingAdmissionPolicyBinding
  const { name = '' } = policies[0]?.metadata ?? {}
  return TE.mapLeft(failureDiagnostic)(cluster.get({ resource, name }, signal))
}

const spaces = ({ cluster, signal }: Trying, names: ReadonlyArray<string>, managed: string) =>
  TE.traverseSeqArray((name: string) => {
    const body = probeNamespace(name, name === managed)
    return cluster.create({ resource: resources.Namespace }, body, { manager: MANAGER, signal })
  })(names)

/**
 * DT6301 when they harm others, or do not work: then they are removed. After an interruption they are removed too, unless
 * those of an earlier version were in effect before.
 */
export const enforce = (trying: Trying, policies: ReadonlyArray<AdmissionPolicy>): TE.TaskEither<Diagnostic, void> => {
  const { clock, signal } = trying
  const plain = `devtool-probe-${clock.wallMs().toString(36)}`
  const managed = `${plain}-managed`
  const removed = async (found: Diagnostic): Promise<Diagnostic> => {
    const objects = [...bindingsOf(policies, 'Deny'), ...policies]
    const isGone = await leaving(trying, (writing) => removeObjects(writing, objects))
    if (!isGone) return { ...found, help: REMAINING }
    return signal.aborted ? interrupted : found
  }
  const tried = (isFirst: boolean): TE.TaskEither<Diagnostic, void> =>
    pipe(
      compared(trying, policies, { isFirst, plain, managed }),
      TE.orElse((found) => (signal.aborted && !isFirst ? TE.left(interrupted) : TE.leftTask(() => removed(found)))),
    )
  const run = pipe(
    hasBindings(trying, policies),
    TE.tap(() => applyObjects(trying, policies)),
    TE.tap(() => TE.mapLeft(failureDiagnostic)(spaces(trying, [plain, managed], managed))),
    TE.flatMap((there) => tried(there === undefined)),
  )
  return async () => {
    await leaving(trying, sweep)
    try {
      return await run()
    } finally {
      await leaving(trying, sweep)
    }
  }
}
