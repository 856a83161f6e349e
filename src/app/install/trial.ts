/**
 * Tests that the admission policies do what they should, and nothing else: requests that they must allow, and for each
 * policy one that it must refuse.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failureDiagnostic, serverWords } from '../../domain/cluster/failure.ts'
import { numberAt, textAt } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import {
  type Denial,
  denialsIn,
  harmless,
  PROBE_SELECTOR,
  type ProbeKind,
  probeNamespace,
  tenantBinding,
  tenantIn,
} from '../../domain/platform/manifests/probe.ts'
import { API_ACCOUNT } from '../../domain/platform/manifests/rights.ts'
import type { AdmissionPolicy } from '../../domain/platform/manifests/types.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { MANAGER } from '../actions/apply.ts'
import { deadline } from '../concurrency/deadline.ts'
import type { Writes } from './objects.ts'

export type Trying = Writes & { readonly clock: Clock }

const TRIAL_MS = 10_000
const EFFECT_MS = 60_000
const PAUSE_MS = 250

/** Retries until it succeeds, or until the time is over; then the last failure. */
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
        const next = await failure(ends.signal)
        // An attempt that the deadline cut off is less informative than the one before.
        if (next === undefined || !ends.signal.aborted) last = next
      }
      return last
    } finally {
      ends.clear()
    }
  }

const wordsOf = (failure: Failure): string => serverWords(failure) ?? 'no answer'
const inWords = TE.mapLeft(wordsOf)

export type Trials = ReadonlyMap<ProbeKind, string | undefined>

/** Creates and deletes each object; failures because the namespace is new are retried. */
export const trials = (trying: Trying, namespace: string): T.Task<Trials> => {
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

const isCompiled = (live: ClusterObject): boolean =>
  numberAt(live, 'status', 'observedGeneration') === live.metadata.generation

/** Type errors in the policies: the API server compiles them after it has stored them. */
export const typeErrors = (trying: Trying, policies: ReadonlyArray<AdmissionPolicy>): T.Task<string | undefined> => {
  const compiled =
    (signal: AbortSignal) =>
    ({ metadata: { name } }: AdmissionPolicy): TE.TaskEither<string, ClusterObject> =>
      pipe(
        inWords(trying.cluster.get({ resource: resources.ValidatingAdmissionPolicy, name }, signal)),
        TE.flatMapEither((live) =>
          live !== undefined && isCompiled(live) ? E.right(live) : E.left(`${name}: it is not compiled`),
        ),
      )
  const warningOf = (live: ClusterObject): ReadonlyArray<string> => {
    const wrong = textAt(live, 'status', 'typeChecking', 'expressionWarnings', 0, 'warning')
    return wrong === undefined ? [] : [`${live.metadata.name}: ${wrong.replace(/\s+/g, ' ').trim()}`]
  }
  return pipe(
    within(trying, EFFECT_MS, (signal) => TE.traverseArray(compiled(signal))(policies)),
    T.flatMap((late) =>
      late === undefined
        ? pipe(
            TE.traverseArray(compiled(trying.signal))(policies),
            TE.match(
              (words): string | undefined => words,
              (lives) => lives.flatMap(warningOf)[0],
            ),
          )
        : T.of(late),
    ),
  )
}

const proberIn = ({ cluster }: Trying, namespace: string, { who }: Denial): Cluster => {
  switch (who) {
    case 'Administrator':
      return cluster
    case 'Api':
      return cluster.as({ user: `system:serviceaccount:${SYSTEM_NAMESPACE}:${API_ACCOUNT}` })
    case 'Tenant':
      return cluster.as({ user: tenantIn(namespace) })
  }
}

/** Whether the policies refuse these requests; those for kinds that the cluster does not have cannot be tried. */
export const inEffect = (
  trying: Trying,
  namespace: string,
  policies: ReadonlyArray<AdmissionPolicy>,
): T.Task<string | undefined> => {
  const names = new Set(policies.map(({ metadata: { name } }) => name))
  const refused =
    (signal: AbortSignal) =>
    (denial: Denial): TE.TaskEither<string, void> => {
      const { body, policy, resource } = denial
      const place = resource.isNamespaced ? { resource, namespace } : { resource }
      return pipe(
        proberIn(trying, namespace, denial).create(place, body, { manager: MANAGER, isDryRun: true, signal }),
        TE.matchE(
          (failure) => {
            const words = wordsOf(failure)
            return words.includes(`'${policy}'`) ? TE.right(undefined) : TE.left(`${policy}: ${words}`)
          },
          () => TE.left(`${policy} refuses nothing`),
        ),
      )
    }
  return within(trying, EFFECT_MS, (signal) =>
    pipe(
      inWords(trying.cluster.resources(signal)),
      TE.flatMap((served) =>
        TE.traverseSeqArray(refused(signal))(denialsIn(served).filter(({ policy }) => names.has(policy))),
      ),
    ),
  )
}

export const harmIn = (before: Trials, after: Trials): string | undefined => {
  const isNew = (kind: ProbeKind, words: string): boolean =>
    before.get(kind) === undefined || words.includes("ValidatingAdmissionPolicy 'devtool-")
  const [kind, failed] = [...after].find(([one, words]) => words !== undefined && isNew(one, words)) ?? []
  return kind === undefined
    ? undefined
    : `with them, a ${kind} outside of the platform's namespaces was refused: ${failed}`
}

/** The namespaces of the trial: one like any other, and one like the platform's. */
export type TrialSpaces = { readonly plain: string; readonly managed: string }

export const createSpaces = (
  { cluster, signal }: Trying,
  { managed, plain }: TrialSpaces,
): TE.TaskEither<Diagnostic, unknown> => {
  const options = { manager: MANAGER, signal }
  return pipe(
    TE.traverseSeqArray((name: string) =>
      cluster.create({ resource: resources.Namespace }, probeNamespace(name, name === managed), options),
    )([plain, managed]),
    TE.flatMap(() =>
      cluster.create({ resource: resources.RoleBinding, namespace: managed }, tenantBinding(managed), options),
    ),
    TE.mapLeft(failureDiagnostic),
  )
}

/** Includes those that an earlier run has left. */
export const sweep = ({ cluster, signal }: Writes): TE.TaskEither<Diagnostic, void> =>
  pipe(
    cluster.list({ resource: resources.Namespace, labels: PROBE_SELECTOR }, { signal }),
    TE.flatMap(({ items }) =>
      TE.traverseArray(({ metadata: { name, uid } }: ClusterObject) =>
        cluster.remove({ resource: resources.Namespace, name }, { uid, propagation: 'Background', signal }),
      )(items),
    ),
    TE.mapBoth(failureDiagnostic, () => undefined),
  )
