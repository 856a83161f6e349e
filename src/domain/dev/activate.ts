/** Plans what `up` changes in the cluster, given the cluster's current state. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { at, isObject, type JsonObject, textAt } from '../cluster/json.ts'
import { annotationOf, type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { resources } from '../cluster/resources.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { TEMPLATE_HASH_ANNOTATION } from '../k8s/labels.ts'
import type { Bound } from '../plan/action.ts'
import { readMoment } from '../text/moment.ts'
import { sha256 } from '../text/sha256.ts'
import { autocreated, isCreatedByUp } from './autocreate.ts'
import { belongings, byUp, claimActions, create, foreignFindings, leftovers, patch } from './belongings.ts'
import { claimRefusals } from './claim-changes.ts'
import { controllerNotices, pausedFor } from './controllers.ts'
import { isInEffect, mergeOf, refreshed } from './field-changes.ts'
import { valuesDuring } from './give-back.ts'
import { mirrorOf, templateHash, templateOf } from './mirror.ts'
import { hasClaim, secretData } from './mirror-claims.ts'
import { mountsIn } from './mounts.ts'
import { mirrorName } from './names.ts'
import { mayDevelop } from './ownership.ts'
import { isExclusive, podsOf, questionsFor } from './pods.ts'
import { recipeOf, showRecipe } from './recipe.ts'
import { type DevRecord, ownedBy, reachesOut, recordBody, recordData, recordOf, type Touched } from './record.ts'
import type { ConsentAsked, UpRequest } from './request.ts'
import type { Round } from './round.ts'
import { stoppedBy } from './stop.ts'
import { chooseContainer, chooseWorkload, podSpecOf, showLive } from './workload.ts'

/**
 * `actions` is empty while `asks` is not. `notices` are shown once, in the first round. `record` is absent only until
 * `autocreate` has created the workload. `mounts`: the paths at which the developed container has volumes.
 */
export type UpPlan = Round & {
  readonly record?: DevRecord
  readonly asks: ReadonlyArray<ConsentAsked>
  readonly notices: ReadonlyArray<Diagnostic>
  readonly mounts: ReadonlyArray<string>
}

type Planned = E.Either<NonEmptyArray<Diagnostic>, UpPlan>

const one = (found: Diagnostic): NonEmptyArray<Diagnostic> => [found]

/** The workload that is developed, and the container in it. */
type Chosen = { readonly original: ClusterObject; readonly container: string }

const sectionOf = ({ dev, service }: UpRequest) => service ?? dev

const chosenIn = (request: UpRequest, observed: Observed): E.Either<Diagnostic, Chosen> =>
  pipe(
    chooseWorkload(sectionOf(request), observed),
    E.bindTo('original'),
    E.bind('container', ({ original }) => chooseContainer(sectionOf(request), original)),
  )

/** A pod in the host network shares the node's loopback with other pods, where a fixed port may be taken. */
const portOf = ({ dev, holder }: UpRequest, original: ClusterObject): number =>
  at(podSpecOf(original), 'hostNetwork') === true
    ? 20_000 + (Number.parseInt(sha256(holder.session).slice(0, 6), 16) % 10_000)
    : dev.sshServerPort

/** What has to change in the cluster so that the workload stops and stays stopped. */
const touchesOf = (request: UpRequest, original: ClusterObject, observed: Observed): ReadonlyArray<Touched> => [
  ...pausedFor(original, observed, sectionOf(request).annotations),
  ...stoppedBy(original),
]

const recordFor = (request: UpRequest, { container, original }: Chosen, observed: Observed): DevRecord => {
  const { dev, holder, main, now, service } = request
  const { kind, metadata } = original
  const mirror = mirrorName(kind, metadata.name)
  return {
    schema: 1,
    dev: dev.name,
    main: main ?? mirror,
    mirror,
    container,
    port: portOf(request, original),
    workload: { kind, name: metadata.name, uid: metadata.uid },
    touched: touchesOf(request, original, observed),
    holder,
    since: now,
    isCreated: isCreatedByUp(original),
    isFilling:
      service === undefined && hasClaim(dev) && liveOf(observed, 'PersistentVolumeClaim', mirror) === undefined,
    beat: now,
  }
}

/**
 * The record of a session that goes on or is taken over: with the new holder, and with the fields that have changed
 * since.
 */
const renewed = (
  request: UpRequest,
  record: DevRecord,
  isTakenOver: boolean,
  fresh: ReadonlyArray<Touched>,
): DevRecord => {
  const { holder, now } = request
  const touched = refreshed(record.touched, fresh)
  // A session may be handed on to a process in the background.
  const isSame = record.holder.session === holder.session && record.holder.pid === holder.pid
  return { ...record, touched, ...(isSame ? {} : { holder, beat: now, ...(isTakenOver ? { since: now } : {}) }) }
}

/** Whether the original is stopped, so that it does not run beside its mirror; its annotations stop nothing. */
export const isStopped = ({ touched }: DevRecord, original: ClusterObject): boolean =>
  touched.every(
    ({ changes, uid }) =>
      uid !== original.metadata.uid ||
      changes.every((change) => change.path[0] !== 'spec' || isInEffect(original, change)),
  )

/** Replaces the template of an existing mirror. `isPaused`: the rollout is paused, so its pod stays as it is. */
export const retemplated = (live: ClusterObject, template: JsonObject, isPaused: boolean): ReadonlyArray<Bound> => {
  const hash = templateHash(template)
  const isSame = annotationOf(live, TEMPLATE_HASH_ANNOTATION) === hash
  const wasPaused = at(live, 'spec', 'paused') === true
  if (isSame && (isPaused || !wasPaused)) return []
  const now = at(live, 'spec', 'template')
  const change = isSame ? {} : { template: mergeOf(isObject(now) ? now : {}, template) }
  const metadata = { annotations: { [TEMPLATE_HASH_ANNOTATION]: hash } }
  const body = { metadata, spec: { ...change, paused: isPaused ? true : null } }
  return [patch(live, resources.Deployment, body, [], byUp('its workload changed'))]
}

const mirrorActions = (
  request: UpRequest,
  record: DevRecord,
  { original }: Chosen,
  observed: Observed,
  owner: JsonObject,
  after: ReadonlyArray<string>,
): ReadonlyArray<Bound> => {
  const given = { ...recipeOf(request), record, original }
  const template = templateOf(given)
  const live = liveOf(observed, 'Deployment', record.mirror)
  if (template === undefined) return []
  if (live !== undefined) return retemplated(live, template, false)
  return [create('Deployment', mirrorOf(given, template, owner), record.mirror, after)]
}

/** The next round when the record exists and belongs to this session. */
const carriedOn = (
  request: UpRequest,
  record: DevRecord,
  chosen: Chosen,
  observed: Observed,
  live: ClusterObject,
): Round => {
  const { agent, dev, secrets, service } = request
  const { original } = chosen
  const owner = ownedBy(live)
  const leaving = leftovers(observed, record.mirror, live)
  if (leaving.length > 0) return { actions: [], waitsFor: leaving.map(showLive) }
  const own =
    service === undefined
      ? [
          ...belongings(observed, {
            mirror: record.mirror,
            owner,
            files: agent.files,
            secret: { ...agent.keys, ...secretData(secrets) },
          }),
          ...claimActions(observed, dev, record.mirror),
        ]
      : []
  const stops = valuesDuring(record.touched, observed, byUp('it is developed'))
  const isHeld = isExclusive(original) && liveOf(observed, 'Deployment', record.mirror) === undefined
  const left = isHeld ? podsOf(original, observed) : []
  const isBlocked = isHeld && (!isStopped(record, original) || left.length > 0)
  const before = own.map(({ id }) => id)
  const mirror = isBlocked ? [] : mirrorActions(request, record, chosen, observed, owner, before)
  return { actions: [...own, ...stops, ...mirror], waitsFor: isBlocked ? left.map(showLive) : [] }
}

const nothing: Pick<UpPlan, 'actions' | 'asks' | 'mounts' | 'notices' | 'waitsFor'> = {
  actions: [],
  asks: [],
  mounts: [],
  notices: [],
  waitsFor: [],
}

const begun = (request: UpRequest, chosen: Chosen, observed: Observed): Planned => {
  const { original } = chosen
  const record = recordFor(request, chosen, observed)
  const [first, ...foreign] = foreignFindings(observed, record.mirror)
  if (first !== undefined) return E.left([first, ...foreign])
  const notices = controllerNotices(original, observed)
  const asks = questionsFor(original, observed, request.consents)
  if (asks.length > 0) return E.right({ ...nothing, record, asks, notices })
  const actions = [create('ConfigMap', recordBody(record, showRecipe(recipeOf(request)), original), record.mirror, [])]
  return E.right({ ...nothing, record, notices, actions })
}

const isOfWorkload = ({ workload }: DevRecord, { metadata }: ClusterObject): boolean => workload.uid === metadata.uid

const isEnding = ({ metadata }: ClusterObject): boolean => metadata.deletionTimestamp !== undefined

/** Services go with their development container, which this session has already. */
const mayHave = (request: UpRequest, record: DevRecord): ReturnType<typeof mayDevelop> => {
  const { holder: me, isRunning, main, now, service, takesOver } = request
  if (service !== undefined && record.main === main) return E.right({ isTakenOver: false })
  const nowMs = (readMoment(now)?.seconds ?? 0) * 1000
  return mayDevelop(record, { me, isRunning, nowMs }, takesOver)
}

const continued = (request: UpRequest, chosen: Chosen, observed: Observed, live: ClusterObject): Planned =>
  pipe(
    recordOf(live),
    E.bindTo('record'),
    E.filterOrElse(
      ({ record }) => isOfWorkload(record, chosen.original) || !reachesOut(record) || isEnding(live),
      () => {
        const help = `\`devtool down ${request.dev.name}\`, then run the command again`
        return error('DT5015', `${showLive(chosen.original)} was replaced since it was developed`, { help })
      },
    ),
    E.bind('may', ({ record }) => mayHave(request, record)),
    E.map(({ may, record }): UpPlan => {
      const { original } = chosen
      const asks = questionsFor(original, observed, request.consents)
      const next = renewed(request, record, may.isTakenOver, touchesOf(request, original, observed))
      const plan = { ...nothing, record: next, asks }
      if (!isOfWorkload(record, original) || isEnding(live)) {
        return { ...plan, asks: [], waitsFor: [showLive(live)] }
      }
      if (asks.length > 0) return plan
      const recipe = recipeOf(request)
      const text = showRecipe(recipe)
      if (JSON.stringify(next) !== JSON.stringify(record) || textAt(live, 'data', 'recipe') !== text) {
        return { ...plan, actions: [patch(live, resources.ConfigMap, { data: { ...recordData(next), recipe: text } })] }
      }
      const mounts = mountsIn(templateOf({ ...recipe, record: next, original }), next.container)
      return { ...plan, mounts, ...carriedOn(request, next, chosen, observed, live) }
    }),
    E.mapLeft(one),
  )

const plannedFor = (request: UpRequest, chosen: Chosen, observed: Observed): Planned => {
  const { original } = chosen
  if (original.metadata.deletionTimestamp !== undefined) {
    const help = 'deploy it, then run the command again'
    return E.left(one(error('DT5015', `${showLive(original)} is being deleted`, { help })))
  }
  const mirror = mirrorName(original.kind, original.metadata.name)
  const [first, ...more] = request.service === undefined ? claimRefusals(observed, request.dev, mirror) : []
  if (first !== undefined) return E.left([first, ...more])
  const record = liveOf(observed, 'ConfigMap', mirror)
  return record === undefined ? begun(request, chosen, observed) : continued(request, chosen, observed, record)
}

/** What `autocreate` creates first; nothing for a section without it, or once the workload exists. */
const createdFirst = (request: UpRequest, observed: Observed): ReadonlyArray<Bound> => {
  const { dev, image, service } = request
  const wanted = image ?? dev.image?.value
  if (service !== undefined || !dev.autocreate || dev.workload._tag !== 'Named' || wanted === undefined) return []
  return autocreated(dev, dev.workload.name.value, wanted, observed)
}

/** Finds DT3105, DT5001 to DT5006, DT5015, DT5016. `observed`: the objects of the kinds in `upKinds`. */
export const planUp = (request: UpRequest, observed: Observed): Planned =>
  pipe(
    chosenIn(request, observed),
    E.fold(
      (found): Planned => {
        const actions = found.code === 'DT5001' ? createdFirst(request, observed) : []
        return actions.length === 0 ? E.left(one(found)) : E.right({ ...nothing, actions })
      },
      (chosen) => plannedFor(request, chosen, observed),
    ),
  )
