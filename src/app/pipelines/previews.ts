/** Previews of a platform. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { EndpointList } from '../../domain/environment/endpoints.ts'
import { defined } from '../../domain/object/defined.ts'
import type { ListedPreview } from '../../domain/platform/api/preview-routes.ts'
import type { PreviewDeployed, PreviewDestroyed, PreviewList } from '../../domain/platform/api/run-listings.ts'
import type { PreviewScope } from '../../domain/platform/preview.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PlatformPlace } from '../context/platform-of.ts'
import { askEndpoints } from '../inspect/endpoints.ts'
import { onPlatform, type TeamCall, type TeamPorts } from '../namespaces/namespaces.ts'
import { untilGone } from '../namespaces/until-gone.ts'
import type { Result } from '../result.ts'
import {
  bodyOf,
  ended,
  onceOnly,
  type PipelineCall,
  type PipelinePorts,
  type RunSettings,
  withFault,
} from './pipelines.ts'
import { saidSource, sourceOf } from './source.ts'

export type PreviewWanted = RunSettings & {
  readonly cwd: string
  readonly name?: string | undefined
  readonly repository?: string | undefined
  readonly branch?: string | undefined
  readonly scope: PreviewScope
  readonly sourceUrl?: string | undefined
}

export const deployPreview =
  (ports: PipelinePorts) =>
  (wanted: PreviewWanted, call: PipelineCall): Promise<Result<PreviewDeployed>> => {
    const { name, scope, sourceUrl } = wanted
    const start = (place: PlatformPlace): TE.TaskEither<Diagnostic, PreviewDeployed> =>
      pipe(
        saidSource(ports, { ...wanted, hasCurrentBranch: true }, call),
        TE.flatMap((source) =>
          ports.platforms.send(
            place.platform,
            'deployPreview',
            {
              headers: onceOnly(ports),
              body: { ...source, scope, ...defined({ name, sourceUrl }), ...bodyOf(wanted, call.timeoutMs) },
            },
            call.signal,
          ),
        ),
        TE.bindTo('started'),
        TE.bind('end', ({ started }) => ended(ports, place, started.run, call)),
        TE.map(({ end, started: { preview } }) => ({ preview, ...end })),
      )
    return withFault(onPlatform(ports, call)(start))
  }

type Query = { readonly repository?: string; readonly branch?: string }

const allPreviews = (
  ports: TeamPorts,
  place: PlatformPlace,
  query: Query,
  signal: AbortSignal,
  from?: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<ListedPreview>> =>
  pipe(
    ports.platforms.send(
      place.platform,
      'listPreviews',
      { query: { ...query, ...defined({ continue: from }) } },
      signal,
    ),
    TE.flatMap(({ next, previews }) =>
      next === undefined
        ? TE.right(previews)
        : pipe(
            allPreviews(ports, place, query, signal, next),
            TE.map((others) => [...previews, ...others]),
          ),
    ),
  )

export const listPreviews =
  (ports: TeamPorts) =>
  (call: TeamCall): Promise<Result<PreviewList>> =>
    onPlatform(
      ports,
      call,
    )((place) =>
      pipe(
        allPreviews(ports, place, {}, call.signal),
        TE.map((previews) => ({ previews })),
      ),
    )

/** `name`: absent for the preview of the branch that is checked out in `cwd`. */
export type PreviewChoice = { readonly name?: string | undefined; readonly cwd: string }

const none = (what: string): Diagnostic =>
  error('DT6004', `there is no preview of ${what}`, { help: '`devtool preview list` lists your previews' })

const several = (names: ReadonlyArray<string>): Diagnostic =>
  error('DT2001', `several previews show this branch: ${names.join(', ')}`, { help: 'name one' })

const chosen = (
  ports: PipelinePorts,
  place: PlatformPlace,
  { cwd, name }: PreviewChoice,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, ListedPreview> =>
  name === undefined
    ? pipe(
        sourceOf(ports)({ cwd, hasCurrentBranch: true }),
        TE.bindTo('source'),
        TE.bind('previews', ({ source }) => allPreviews(ports, place, source, signal)),
        TE.flatMap(({ previews: [first, ...others], source: { branch, repository } }) => {
          if (first === undefined) return TE.left(none([repository, branch].filter(Boolean).join(' ')))
          return others.length === 0 ? TE.right(first) : TE.left(several([first, ...others].map((one) => one.name)))
        }),
      )
    : pipe(
        ports.platforms.send(place.platform, 'getPreview', { params: { namespace: name } }, signal),
        TE.mapLeft((failure) => (failure.code === 'DT6004' ? none(`the name ${name}`) : failure)),
      )

const gone = (
  ports: TeamPorts,
  { platform }: PlatformPlace,
  { name, pipeline }: ListedPreview,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, void> => {
  const read = () => ports.platforms.send(platform, 'getPreview', { params: { namespace: name } }, signal)
  const logs = `devtool pipeline logs --name ${pipeline} --namespace ${name}`
  return untilGone(ports, { what: `preview ${name}`, logs }, read, signal)
}

/** Destroys a preview, and waits until it is gone. */
export const destroyPreview =
  (ports: PipelinePorts) =>
  (choice: PreviewChoice, isForced: boolean, call: TeamCall): Promise<Result<PreviewDestroyed>> => {
    const { signal } = call
    return onPlatform(
      ports,
      call,
    )((place) =>
      pipe(
        chosen(ports, place, choice, signal),
        TE.tap(({ name }) =>
          ports.platforms.send(
            place.platform,
            'destroyPreview',
            { params: { namespace: name }, query: { force: isForced } },
            signal,
          ),
        ),
        TE.tap((preview) => gone(ports, place, preview, signal)),
        TE.map((preview) => ({ preview })),
      ),
    )
  }

/** Requests each address once. */
export const previewEndpoints =
  (ports: PipelinePorts & Pick<Ports, 'network'>) =>
  (choice: PreviewChoice, call: TeamCall): Promise<Result<EndpointList>> =>
    onPlatform(
      ports,
      call,
    )((place) =>
      pipe(
        chosen(ports, place, choice, call.signal),
        TE.flatMap(({ name, pipeline }) =>
          pipe(
            ports.platforms.send(place.platform, 'listPreviewEndpoints', { params: { namespace: name } }, call.signal),
            TE.flatMap(({ endpoints }) => TE.fromTask(() => askEndpoints(ports, endpoints))),
            TE.map((endpoints) => ({ environment: pipeline, namespace: name, endpoints })),
          ),
        ),
      ),
    )
