/** `destroy --dependencies`: destroys an environment, then those that it depended on and nothing else needs. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { hasErrors } from '../../domain/checked.ts'
import { takenAlong } from '../../domain/destroy/along.ts'
import { commandsVerdict } from '../../domain/destroy/commands.ts'
import { keptDependencies, unconfirmed } from '../../domain/destroy/findings.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../../domain/environment/record.ts'
import { sourceText } from '../../domain/environment/source.ts'
import { defined } from '../../domain/object/defined.ts'
import { listed } from '../../domain/text/listed.ts'
import { visible } from '../../domain/text/visible.ts'
import { findRecords } from '../environment/find-record.ts'
import type { Result } from '../result.ts'
import { destroy } from './destroy.ts'
import type { DestroyReport } from './report.ts'
import type { DestroyPorts, Destruction } from './request.ts'

type Records = ReadonlyArray<EnvironmentRecord>

/** Fails when a record cannot be read, since that environment may need any of them. */
const allRecords = ({ target }: Destruction): TE.TaskEither<ReadonlyArray<Diagnostic>, Records> =>
  pipe(
    findRecords(target),
    TE.mapLeft((why) => [why]),
    TE.flatMapEither(({ environments, notes }) =>
      notes.length === 0
        ? E.right(environments.flatMap(({ record }) => record ?? []))
        : E.left(notes.map((note): Diagnostic => ({ ...note, severity: 'error' }))),
    ),
  )

const showOne = ({ environment, source }: EnvironmentRecord): string =>
  `${visible(environment)} (from ${sourceText(source)})`

/** DT2101 when nobody can be asked, DT3303 when the answer is no. */
const confirm = (
  { progress, prompt }: DestroyPorts,
  { environment, isDryRun, isYes }: Destruction,
  taken: Records,
): TE.TaskEither<Diagnostic, void> => {
  if (taken.length === 0) return TE.right(undefined)
  const text = `destroy the dependencies of ${environment} as well: ${listed(taken.map(showOne))}`
  if (isYes || isDryRun) return TE.fromIO(() => progress.tell({ _tag: 'Said', text }))
  return pipe(
    prompt.confirm({ text: `${text}?`, flag: '--yes' }),
    TE.flatMapEither((isConfirmed) => (isConfirmed ? E.right(undefined) : E.left(unconfirmed('--dependencies')))),
  )
}

/** Their manifests are elsewhere, so none of their commands run. */
const oneOf = (destruction: Destruction, environment: string, skips: boolean): Destruction => ({
  ...destruction,
  environment,
  allow: () => TE.right({ warnings: [], refusal: () => undefined }),
  commands: {
    judge: (record, isThere) => commandsVerdict({ environment, isThere, record, present: undefined, skips }),
    judgeOther: () => ({ _tag: 'None' }),
    run: TE.right(undefined),
  },
})

/** Why a dependency is kept after all: somebody may meanwhile have deployed another environment that needs it. */
const keptAfterAll = (
  destruction: Destruction,
  { environment, source: { repository = '' } }: EnvironmentRecord,
  isGone: (environment: string) => boolean,
): Promise<ReadonlyArray<Diagnostic>> => {
  const read = pipe(
    allRecords(destruction),
    TE.match(
      (why) => why,
      (records) =>
        records.some(
          ({ dependencies = [], ...other }) =>
            !isGone(other.environment) && dependencies.some(({ name }) => name === environment),
        )
          ? keptDependencies(destruction.environment, [{ name: environment, repository }])
          : [],
    ),
  )
  return read()
}

/** Stops at the first failure: that environment may need the ones after it. */
const destroyEach = async (
  ports: DestroyPorts,
  destruction: Destruction,
  taken: Records,
  skips: boolean,
): Promise<Result<DestroyReport>> => {
  const isTaken = new Set(taken.map(({ environment }) => environment))
  const isGone = (environment: string): boolean => environment === destruction.environment || isTaken.has(environment)
  const own = await destroy(ports)({ ...destruction, isTaken })
  let { findings } = own
  const along: Array<DestroyReport> = []
  for (const one of taken) {
    if (hasErrors(findings)) return { findings }
    const kept = await keptAfterAll(destruction, one, isGone)
    if (kept.length > 0) return { findings: [...findings, ...kept] }
    const next = await destroy(ports)({ ...oneOf(destruction, one.environment, skips), isTaken })
    findings = [...findings, ...next.findings]
    if (next.value !== undefined) along.push(next.value)
  }
  return { findings, ...defined({ value: own.value && { ...own.value, along } }) }
}

/** `skips`: the destroy commands of the dependencies are skipped. */
export const destroyAlong =
  (ports: DestroyPorts) =>
  (destruction: Destruction, skips: boolean): Promise<Result<DestroyReport>> => {
    const done = pipe(
      allRecords(destruction),
      TE.map((records) => takenAlong(destruction.environment, records)),
      TE.tap((taken) =>
        pipe(
          confirm(ports, destruction, taken),
          TE.mapLeft((why) => [why]),
        ),
      ),
      TE.matchE(
        (findings) => T.of<Result<DestroyReport>>({ findings }),
        (taken) => () => destroyEach(ports, destruction, taken, skips),
      ),
    )
    return done()
  }
