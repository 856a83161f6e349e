/**
 * Puts the platform's admission policies into effect. A policy applies to the whole cluster, so at first the policies
 * only audit what they would refuse; then requests of all kinds are tried with and without them. If a request fails
 * that worked before, the previous state is restored; the policies of an earlier installation stay in effect all the
 * while.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { at } from '../../domain/cluster/json.ts'
import { annotationOf } from '../../domain/cluster/live.ts'
import { apiVersionOf, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { TRIAL_ANNOTATION } from '../../domain/k8s/labels.ts'
import { bindingsOf, onTrial } from '../../domain/platform/manifests/policies.ts'
import { canaryIn } from '../../domain/platform/manifests/probe.ts'
import { systemLabels } from '../../domain/platform/manifests/rights.ts'
import type { AdmissionPolicy } from '../../domain/platform/manifests/types.ts'
import { printJsonLine } from '../../domain/print/json.ts'
import { MANAGER } from '../actions/apply.ts'
import { atMost, leavingMs } from '../concurrency/deadline.ts'
import {
  applyObjects,
  eachWhileHeld,
  keyOfOwn,
  type OwnObject,
  othersThan,
  ownObjects,
  type Reads,
  removeObjects,
  removeOwn,
  type Writes,
} from './objects.ts'
import {
  createSpaces,
  harmIn,
  inEffect,
  sweep,
  type TrialSpaces,
  type Trials,
  type Trying,
  trials,
  typeErrors,
} from './trial.ts'

type Done = TE.TaskEither<Diagnostic, void>

/** Bindings first: without its policy a binding has no effect. */
const kinds = ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'] as const

/** `names`: of the policies in effect. */
type Found = { readonly all: ReadonlyArray<OwnObject>; readonly names: ReadonlySet<string> }

/** The policies of an earlier installation. Those left by an interrupted trial are not in effect. */
const find = (reading: Reads): TE.TaskEither<Diagnostic, Found> =>
  pipe(
    ownObjects(reading, kinds),
    TE.map((all) => {
      const inUse = all.filter(
        ({ kind, live }) =>
          kind === 'ValidatingAdmissionPolicyBinding' && annotationOf(live, TRIAL_ANNOTATION) === undefined,
      )
      return { all, names: new Set(inUse.map(({ live }) => live.metadata.name)) }
    }),
  )

const asItWas = ({ kind, live }: OwnObject): string =>
  printJsonLine({
    apiVersion: apiVersionOf(resources[kind]),
    kind,
    metadata: { name: live.metadata.name, labels: systemLabels },
    spec: at(live, 'spec'),
  })

const putBack = (writes: Writes, { all, names }: Found, policies: ReadonlyArray<AdmissionPolicy>): Done => {
  const { cluster, signal } = writes
  const added = policies.filter(({ metadata: { name } }) => !names.has(name))
  const earlier = all.filter(({ live }) => names.has(live.metadata.name)).toReversed()
  const options = { manager: MANAGER, force: true, signal }
  return pipe(
    eachWhileHeld(writes, earlier, (policy) => cluster.apply(keyOfOwn(policy), asItWas(policy), options)),
    TE.flatMap(() => removeObjects(writes, [...bindingsOf(added, 'Deny'), ...added])),
  )
}

const oldAmong = (all: ReadonlyArray<OwnObject>, policies: ReadonlyArray<AdmissionPolicy>): ReadonlyArray<OwnObject> =>
  othersThan(all, [...policies, ...bindingsOf(policies, 'Deny')])

/** Policies that this version does not have any more. */
export const oldPolicies = (
  reading: Reads,
  policies: ReadonlyArray<AdmissionPolicy>,
): TE.TaskEither<Diagnostic, ReadonlyArray<OwnObject>> =>
  pipe(
    ownObjects(reading, kinds),
    TE.map((all) => oldAmong(all, policies)),
  )

/** Removes all, of any version. */
export const removePolicies = (writes: Writes): Done =>
  pipe(
    ownObjects(writes, kinds),
    TE.flatMap((all) => removeOwn(writes, all)),
  )

const interrupted = error('DT3007', 'the installation was interrupted while its policies were tried', {
  help: 'run the command again to continue',
})

const harmful = (isFirst: boolean, what: string): Diagnostic =>
  isFirst
    ? error('DT6301', `the admission policies were removed again: ${what}`, {
        help: 'without them the platform could leave its namespaces, so it is not installed',
      })
    : error('DT6301', `the admission policies were put back as they were: ${what}`, {
        help: 'the platform goes on as it was installed before',
      })

const REMAINING =
  'remove what is left of them with `kubectl delete validatingadmissionpolicybindings,validatingadmissionpolicies -l dev.devtool/platform=system`'
const CHANGED = 'they could not be put back: run the command again'

type Tried = { readonly policies: ReadonlyArray<AdmissionPolicy>; readonly canary: AdmissionPolicy }

/** `canary`: a policy that shows that the others are in effect. */
const compared = (trying: Trying, { canary, policies: own }: Tried, { names }: Found, spaces: TrialSpaces): Done => {
  const isFirst = names.size === 0
  const policies = [...own, canary]
  const unless = (found: string | undefined): E.Either<Diagnostic, void> =>
    found === undefined ? E.right(undefined) : E.left(harmful(isFirst, found))
  const added = policies.filter(({ metadata: { name } }) => !names.has(name))
  const isSound = pipe(
    applyObjects(trying, policies),
    TE.flatMapTask(() => typeErrors(trying, policies)),
    TE.flatMapEither(unless),
  )
  const tried = TE.fromTask<Trials, Diagnostic>(trials(trying, spaces.plain))
  const refusing = (some: ReadonlyArray<AdmissionPolicy>): Done =>
    pipe(TE.fromTask(inEffect(trying, spaces.managed, some)), TE.flatMapEither(unless))
  const noted = pipe(
    applyObjects(trying, onTrial(bindingsOf(added, 'Audit'))),
    TE.flatMap(() => isSound),
  )
  // Policies with a binding are in effect as soon as they are replaced, so the requests are tried before.
  const without = isFirst
    ? pipe(
        noted,
        TE.flatMap(() => tried),
      )
    : pipe(
        tried,
        TE.tap(() => noted),
      )
  return pipe(
    without,
    TE.tap(() => applyObjects(trying, onTrial(bindingsOf(added, 'Deny')))),
    TE.tap(() => refusing([canary])),
    TE.bindTo('before'),
    // Immediately, since a harmful policy affects everybody until it is removed.
    TE.bind('after', () => tried),
    TE.flatMapEither(({ after, before }) => unless(harmIn(before, after))),
    TE.flatMap(() => refusing(own)),
  )
}

/** Without the signal of the run: an interruption must not leave the policies half in effect. */
const leaving = async (trying: Trying, run: (writing: Writes) => Done): Promise<boolean> => {
  const { clock, signal } = trying
  const done = await atMost(clock, leavingMs(signal), (late) => run({ ...trying, signal: late })())
  return done !== undefined && E.isRight(done)
}

/**
 * DT6301 when the policies do harm or have no effect. Then, and after an interruption, the previous state is restored.
 */
export const enforce = (trying: Trying, policies: ReadonlyArray<AdmissionPolicy>): Done => {
  const { clock, lock, signal } = trying
  const plain = `devtool-probe-${clock.wallMs().toString(36)}`
  const spaces = { plain, managed: `${plain}-managed` }
  const canary = canaryIn(spaces.managed)
  const undone =
    (found: Found, why: Diagnostic): T.Task<Diagnostic> =>
    async () => {
      const isBack = await leaving(trying, (writes) => putBack(writes, found, [...policies, canary]))
      if (isBack) return signal.aborted ? interrupted : why
      // Whoever holds the lock now restores them.
      const lost = await lock.check()
      return lost ?? { ...why, help: found.names.size === 0 ? REMAINING : CHANGED }
    }
  const run = pipe(
    find(trying),
    TE.tap(() => createSpaces(trying, spaces)),
    TE.flatMap((found) =>
      pipe(
        compared(trying, { policies, canary }, found, spaces),
        TE.flatMap(() => applyObjects(trying, bindingsOf(policies, 'Deny'))),
        TE.orElse((why) => TE.leftTask(undone(found, why))),
        TE.flatMap(() => removeObjects(trying, [...bindingsOf([canary], 'Deny'), canary])),
        TE.flatMap(() => removeOwn(trying, oldAmong(found.all, policies))),
      ),
    ),
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
