/** Pipelines in a namespace of a platform: their runs deploy and destroy environments there. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import type {
  PipelineDeployed,
  PipelineDestroyed,
  PipelineList,
  PipelineRun,
} from '../../domain/platform/api/run-listings.ts'
import { hasEnded, type RunRecord } from '../../domain/platform/run/record.ts'
import { pathOf } from '../../domain/platform/web-pages.ts'
import type { Ports } from '../../ports/ports.ts'
import type { PlatformPlace } from '../context/platform-of.ts'
import { inNamespace, type TeamCall, type TeamPorts } from '../namespaces/namespaces.ts'
import { type Result } from '../result.ts'
import { saidSource } from './source.ts'
import { begunText, faultOf, followRun, type LineSink } from './waiting.ts'

export type PipelinePorts = TeamPorts & Pick<Ports, 'git' | 'random'>

/**
 * `sink`: receives the lines of the log while waiting; without it the command does not wait. `say`: is told before the
 * log begins.
 */
export type PipelineCall = TeamCall & {
  readonly timeoutMs: number
  readonly sink?: LineSink | undefined
  readonly say: (text: string) => Promise<unknown>
}

export type RunSettings = {
  readonly file?: string | undefined
  readonly variables: ReadonlyMap<string, string>
}

/** A request with a key can be repeated when its answer is lost: it starts only one run. */
export const onceOnly = ({ random }: Pick<Ports, 'random'>) => ({
  'idempotency-key': Buffer.from(random.bytes(16)).toString('hex'),
})

const timeoutSeconds = (timeoutMs: number): number => Math.max(1, Math.ceil(timeoutMs / 1000))

export const bodyOf = ({ file, variables }: RunSettings, timeoutMs: number) => ({
  timeoutSeconds: timeoutSeconds(timeoutMs),
  ...defined({ file }),
  ...(variables.size === 0 ? {} : { variables: [...variables].map(([name, value]) => ({ name, value })) }),
})

/** The run at its end. */
const followed = (
  ports: Pick<Ports, 'platforms'>,
  { platform }: Pick<PlatformPlace, 'platform'>,
  run: RunRecord,
  sink: LineSink,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, RunRecord> =>
  pipe(
    followRun(ports)(platform, run, sink, signal),
    TE.map((end) => end ?? run),
  )

/** The run at its end when it is waited for, otherwise at its start, and the address of its page. */
export const ended = (
  ports: Pick<Ports, 'platforms'>,
  place: Pick<PlatformPlace, 'platform'>,
  run: RunRecord,
  { say, signal, sink }: Pick<PipelineCall, 'signal' | 'sink' | 'say'>,
): TE.TaskEither<Diagnostic, { readonly run: RunRecord; readonly page: string }> => {
  const page = `${place.platform.url}${pathOf('run', { namespace: run.namespace, run: run.id })}`
  if (sink === undefined) return TE.right({ run, page })
  return pipe(
    TE.fromTask(() => say(`${begunText(run)}: ${page}`)),
    TE.flatMap(() => followed(ports, place, run, sink, signal)),
    TE.map((end) => ({ run: end, page })),
  )
}

/** A failed run is returned like any other, with its failure as a finding. */
export const withFault = async <A extends { readonly run?: RunRecord }>(
  done: Promise<Result<A>>,
): Promise<Result<A>> => {
  const result = await done
  const run = result.value?.run
  return run === undefined ? result : { ...result, findings: [...result.findings, ...faultOf(run)] }
}

export type PipelineWanted = RunSettings & {
  readonly cwd: string
  readonly name: string
  readonly repository?: string | undefined
  readonly branch?: string | undefined
  readonly skipIfExists: boolean
}

export const deployPipeline =
  (ports: PipelinePorts) =>
  (wanted: PipelineWanted, call: PipelineCall): Promise<Result<PipelineDeployed>> => {
    const { name, skipIfExists } = wanted
    const start = (place: PlatformPlace): TE.TaskEither<Diagnostic, PipelineDeployed> => {
      const { namespace, platform } = place
      return pipe(
        saidSource(ports, { ...wanted, hasCurrentBranch: false }, call),
        TE.flatMap((source) =>
          ports.platforms.send(
            platform,
            'deployPipeline',
            {
              params: { namespace },
              headers: onceOnly(ports),
              body: { name, ...source, skipIfExists, ...bodyOf(wanted, call.timeoutMs) },
            },
            call.signal,
          ),
        ),
        TE.bindTo('started'),
        TE.bind('end', ({ started: { run } }) => (run === undefined ? TE.right(run) : ended(ports, place, run, call))),
        TE.map(({ end, started: { isSkipped, status } }) => ({
          ...{ namespace, pipeline: name, isSkipped },
          ...defined({ status }),
          ...end,
        })),
      )
    }
    return withFault(inNamespace(ports, call)(start))
  }

export const destroyPipeline =
  (ports: PipelinePorts) =>
  (name: string, hasVolumes: boolean, call: PipelineCall): Promise<Result<PipelineDestroyed>> => {
    const start = (place: PlatformPlace): TE.TaskEither<Diagnostic, PipelineDestroyed> => {
      const { namespace, platform } = place
      return pipe(
        ports.platforms.send(
          platform,
          'destroyPipeline',
          {
            params: { namespace, name },
            query: { volumes: hasVolumes, timeoutSeconds: timeoutSeconds(call.timeoutMs) },
            headers: onceOnly(ports),
          },
          call.signal,
        ),
        TE.flatMap(({ run }) => ended(ports, place, run, call)),
        TE.map((end) => ({ namespace, pipeline: name, ...end })),
      )
    }
    return withFault(inNamespace(ports, call)(start))
  }

export const listPipelines =
  (ports: TeamPorts) =>
  (call: TeamCall): Promise<Result<PipelineList>> => {
    const more = (
      place: PlatformPlace,
      from: string | undefined,
    ): TE.TaskEither<Diagnostic, PipelineList['pipelines']> =>
      pipe(
        ports.platforms.send(
          place.platform,
          'listPipelines',
          { params: { namespace: place.namespace }, query: defined({ continue: from }) },
          call.signal,
        ),
        TE.flatMap(({ next, pipelines }) =>
          next === undefined
            ? TE.right(pipelines)
            : pipe(
                more(place, next),
                TE.map((others) => [...pipelines, ...others]),
              ),
        ),
      )
    return inNamespace(
      ports,
      call,
    )((place) =>
      pipe(
        more(place, undefined),
        TE.map((pipelines) => ({ namespace: place.namespace, pipelines })),
      ),
    )
  }

/** `run`: its id; without it, the newest run of the pipeline. */
export type RunChoice = { readonly pipeline: string; readonly run?: string | undefined }

const noRun = (pipeline: string, namespace: string): Diagnostic =>
  error('DT6004', `pipeline ${pipeline} in namespace ${namespace} has no run`, {
    help: '`devtool pipeline list` lists the pipelines; --name names another one',
  })

const chosenRun = (
  { platforms }: TeamPorts,
  { namespace, platform }: PlatformPlace,
  { pipeline, run: id }: RunChoice,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, RunRecord> =>
  id === undefined
    ? pipe(
        platforms.send(platform, 'listRuns', { params: { namespace }, query: { pipeline, limit: 1 } }, signal),
        TE.flatMap(({ runs: [run] }) => (run === undefined ? TE.left(noRun(pipeline, namespace)) : TE.right(run))),
      )
    : platforms.send(platform, 'getRun', { params: { namespace, run: id } }, signal)

const ranAs = (run: RunRecord): PipelineRun => ({ namespace: run.namespace, pipeline: run.environment, run })

/** `use` returns the run as it is afterwards. */
const withRun = (
  ports: TeamPorts,
  choice: RunChoice,
  call: TeamCall,
  use: (run: RunRecord, place: PlatformPlace) => TE.TaskEither<Diagnostic, RunRecord>,
): Promise<Result<PipelineRun>> =>
  inNamespace(
    ports,
    call,
  )((place) =>
    pipe(
      chosenRun(ports, place, choice, call.signal),
      TE.flatMap((run) => use(run, place)),
      TE.map(ranAs),
    ),
  )

/** Prints the log to its end, waiting for a run that is under way. Says first what a queued one waits for. */
export const pipelineLogs =
  (ports: TeamPorts) =>
  (
    choice: RunChoice,
    sink: LineSink,
    { say, ...call }: TeamCall & Pick<PipelineCall, 'say'>,
  ): Promise<Result<PipelineRun>> => {
    const follow = (run: RunRecord, place: PlatformPlace) => followed(ports, place, run, sink, call.signal)
    return withRun(ports, choice, call, (run, place) => {
      if (run.status !== 'queued') return follow(run, place)
      const { id, namespace } = run
      return pipe(
        // With what it waits for, which a list does not say.
        ports.platforms.send(place.platform, 'getRun', { params: { namespace, run: id } }, call.signal),
        TE.tap((now) => (now.status === 'queued' ? TE.fromTask(() => say(begunText(now))) : TE.right(undefined))),
        TE.flatMap((now) => follow(now, place)),
      )
    })
  }

export const cancelPipeline =
  (ports: TeamPorts) =>
  (choice: RunChoice, call: TeamCall): Promise<Result<PipelineRun>> =>
    withRun(ports, choice, call, (run, { platform }) => {
      if (hasEnded(run)) return TE.right(run)
      const params = { namespace: run.namespace, run: run.id }
      return pipe(
        ports.platforms.send(platform, 'cancelRun', { params }, call.signal),
        TE.map(() => run),
      )
    })
