/** `up`: creates development containers, and runs them in this terminal or in the background. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as C from '../../domain/checked.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import type { DevRecord, Holder } from '../../domain/dev/record.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Console } from '../../ports/console.ts'
import type { AttachedConsole } from '../../ports/shared-consoles.ts'
import { meeting } from '../concurrency/meeting.ts'
import type { Result } from '../result.ts'
import { activate, askingAs } from './activate.ts'
import { isMain, sessionTarget } from './active.ts'
import { runAttached } from './attached.ts'
import { isSessionHere, sessionSocket, startInBackground, takenOver } from './background.ts'
import { type ChosenDevs, development } from './develop.ts'
import { connectionFailure, type Ran, runIn } from './exec.ts'
import { tryForwards, withSshForward } from './forwards.ts'
import { growClaim } from './grow-claim.ts'
import { runHybrid } from './hybrid.ts'
import { runLastingProgram } from './program.ts'
import { findDevs } from './records.ts'
import { openSession } from './session.ts'
import { run, takenPorts, type UpPorts, type UpProject } from './up.ts'
import { whileDeveloped } from './watch-record.ts'

/** `consoleOf`: the console of one of several in the terminal. */
export type UpRequested = Omit<UpProject, 'together' | 'isUnattended'> & {
  readonly consoleOf: (whole: Console, name: string, all: ReadonlyArray<string>) => Console
}

type Findings = ReadonlyArray<Diagnostic>

const oneFinding = (found: Diagnostic): Findings => [found]

/** `observed`: the namespace as it was a moment ago. */
type Chosen = { readonly dev: DevContainer; readonly observed: Observed | undefined }

/** Creates the development container with its services, and runs its session. */
const begin = (
  ports: UpPorts,
  request: UpProject,
  { dev, observed }: Chosen,
  holder: Holder,
  known: DevRecord | undefined,
): TE.TaskEither<Findings, Result<Ran>> => {
  const { agentImage, environment, isDetaching, isYes, project, signal, takesOver, target } = request
  const needs = TE.mapLeft(takenPorts(dev))(tryForwards(ports)(withSshForward(dev, dev.sshServerPort)))
  const { shell } = project.wanted
  const base = { needs, target, dev, environment, shell, agentImage, takesOver, isYes, signal }
  return pipe(
    activate(ports)({ ...base, holder, known, ...defined({ observed }) }),
    TE.bindTo('activated'),
    TE.bind('beside', ({ activated: { record } }) =>
      pipe(
        dev.services,
        TE.traverseSeqArray((service) =>
          activate(ports)({ ...base, holder: record.holder, known: record }, { main: record.mirror, service }),
        ),
        TE.map((all) => all.map((service) => service.record)),
      ),
    ),
    TE.tapTask(({ activated }) => async () => {
      const found = await growClaim(target, dev, activated.record.mirror, signal)()
      for (const diagnostic of found) ports.progress.tell({ _tag: 'Found', diagnostic })
    }),
    TE.bind('value', ({ activated, beside }) =>
      isDetaching && ports.background.given === undefined
        ? TE.mapLeft(oneFinding)(startInBackground(ports)(target, activated.record, signal))
        : run(ports, request, dev, { ...activated, beside }),
    ),
    TE.map(({ activated, value }): Result<Ran> => ({ findings: activated.findings, value })),
  )
}

const unheeded = (dev: string, flag: string): Diagnostic =>
  warning('DT5033', `${flag} has no effect: the session of ${dev} runs in the background already`, {
    help: `\`devtool down ${dev}\` ends it`,
  })

/** Connects to the command of the session in the background. */
const attach = (
  ports: UpPorts,
  { signal }: UpProject,
  { dev }: DevRecord,
  attached: AttachedConsole,
): TE.TaskEither<Findings, Ran> => {
  const say = (text: string): void => ports.console.say(`${dev}: ${text}`)
  ports.progress.end()
  if (ports.console.terminal() !== undefined) say('connected to its command; Ctrl-P Ctrl-Q leaves it running')
  const left = (): void => say(`its command goes on; \`devtool up ${dev}\` connects again`)
  return pipe(
    runAttached(ports.console, attached, { left, signal }),
    TE.bimap(
      (failure) => oneFinding(connectionFailure(dev, failure)),
      (status) => ({ status }),
    ),
  )
}

/** Connects to the command of the session in the background, or runs a shell or a command beside it. */
const join = (
  ports: UpPorts,
  request: UpProject,
  record: DevRecord,
  dev: DevContainer,
): TE.TaskEither<Findings, Result<Ran>> => {
  const { command, environment, isDetaching, isRestarting, project, signal, target, timeoutMs = 60_000 } = request
  const { holder } = record
  const findings = isRestarting ? [unheeded(dev.name, '--auto-restart')] : []
  const text = `${dev.name}: its session runs in the background, process ${holder.pid}`
  ports.progress.tell({ _tag: 'Said', text })
  if (isDetaching) return TE.of({ findings, value: { status: 0 } })
  const [only, ...more] = command
  const program = only === undefined ? {} : { command: more.length === 0 ? only : command }
  const beside = pipe(
    sessionTarget(target, record, timeoutMs, signal),
    TE.flatMap((to) => {
      ports.progress.end()
      const session = openSession(ports)(to, signal)
      const variables = [...environment].map(([name, value]) => ({ name, value }))
      const { shell } = project.wanted
      const running =
        dev.mode === 'hybrid'
          ? runHybrid(ports)({ session, dev, program, shell, environment: variables, signal, isTyped: true })
          : runLastingProgram(ports)(session, { ...program, environment: Object.fromEntries(environment) })
      return whileDeveloped({ ports, target, signal }, record, session)(runIn(session, dev.name, running))
    }),
    TE.mapLeft(oneFinding),
  )
  const socket = ports.home.where(sessionSocket(target, record))
  return pipe(
    TE.fromTask<AttachedConsole | undefined, Findings>(
      only === undefined ? ports.sharedConsoles.attach(socket) : T.of(undefined),
    ),
    TE.flatMap((attached) => (attached === undefined ? beside : attach(ports, request, record, attached))),
    TE.map((value) => ({ findings, value })),
  )
}

/** Connects to the session that runs in the background, or begins a new one. */
const develop = (ports: UpPorts, request: UpProject, chosen: Chosen): TE.TaskEither<Findings, Result<Ran>> => {
  const { isUnattended, signal, takesOver, target } = request
  const { dev } = chosen
  const { given } = ports.background
  return pipe(
    TE.Do,
    TE.apS(
      'asking',
      pipe(
        TE.fromTask<string, Findings>(given === undefined ? ports.links.newId : T.of(takenOver(given).session)),
        TE.flatMap((id) => askingAs(ports, target, id, signal)),
        TE.map(({ clock, me }) => ({ clock, holder: given === undefined ? me : { ...me, isDetached: true } })),
      ),
    ),
    TE.apS('found', TE.mapLeft(oneFinding)(findDevs(target, signal))),
    TE.flatMap(({ asking: { clock, holder }, found: { devs } }) => {
      const known = devs.find((one) => one.record.dev === dev.name && isMain(one))?.record
      const isJoined = known !== undefined && given === undefined && !takesOver && isSessionHere(ports, known, holder)
      return isJoined
        ? join(ports, { ...request, isDetaching: request.isDetaching || isUnattended }, known, dev)
        : begin({ ...ports, clock }, request, chosen, holder, known)
    }),
  )
}

/** The first failure ends the others, unless they are to go on in the background; so does Ctrl-C. */
const developAll = (
  ports: UpPorts,
  request: UpRequested,
  { devs, observed }: ChosenDevs,
): TE.TaskEither<Findings, Result<Ran>> => {
  const names = devs.map(({ name }) => name)
  const failed = new AbortController()
  const signal = AbortSignal.any([request.signal, failed.signal])
  const { arrive, leave } = meeting(devs.length)
  // The others are only interrupted because of this failure, so theirs are not reported.
  let cause: Findings | undefined
  const fail = (found: Findings): void => {
    cause ??= found
    failed.abort()
  }
  const one = (dev: DevContainer): TE.TaskEither<Findings, Result<Ran>> => {
    const console = request.consoleOf(ports.console, dev.name, names)
    const begun = pipe(
      develop({ ...ports, console }, { ...request, signal, isUnattended: true, together: arrive }, { dev, observed }),
      T.tapIO(() => leave),
    )
    return request.isDetaching
      ? TE.orElse((findings: Findings) => TE.of<Findings, Result<Ran>>({ findings }))(begun)
      : TE.tapError((found: Findings) => TE.fromIO(() => fail(found)))(begun)
  }
  return pipe(
    devs,
    TE.traverseArray(one),
    TE.mapLeft((found) => cause ?? found),
    TE.map((all): Result<Ran> => {
      const findings = all.flatMap((ended) => ended.findings)
      const status = all.map(({ value }) => value?.status ?? 0).find((code) => code !== 0) ?? 0
      return C.hasErrors(findings) ? { findings } : { findings, value: { status } }
    }),
  )
}

/** The exit status is that of the command; of several, the first that is not 0. */
export const up =
  (ports: UpPorts) =>
  (request: UpRequested): Promise<Result<Ran>> => {
    const { given } = ports.background
    const names = given === undefined ? request.names : [takenOver(given).dev]
    const work = pipe(
      development(ports)({ ...request, names }),
      TE.flatMap((found) => {
        const { devs, observed } = found
        const [dev] = devs
        return dev === undefined || devs.length > 1
          ? developAll(ports, request, found)
          : develop(ports, { ...request, isUnattended: false, together: T.of(undefined) }, { dev, observed })
      }),
      TE.getOrElse((findings: Findings) => T.of<Result<Ran>>({ findings, line: request.project.line })),
    )
    return work()
  }
