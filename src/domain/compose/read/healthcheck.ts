/** `healthcheck`, with the defaults for values that are not set. */
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { inRange, optional, parse } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import { readDuration } from '../../text/duration.ts'
import type { serviceFields } from '../fields/service.ts'
import type { Healthcheck, HealthTest } from '../model.ts'

type Raw = ValueOf<(typeof serviceFields)['healthcheck']['shape']>
type Test = NonNullable<Raw['value']['test']>
type Http = NonNullable<Raw['value']['http']>

const defaults = { periodSeconds: 10, timeoutSeconds: 30, failureThreshold: 3 } as const

const unusable = (raw: Located<unknown>, message: string, help?: string): Diagnostic =>
  error('DT1032', message, { at: raw.at, path: raw.path, help })

const forms = 'write ["CMD", "program", "argument"], ["CMD-SHELL", "command"], ["NONE"], or one string for the shell'

/** `undefined` when the check is disabled. */
const readTest = (test: Test): Checked<HealthTest | undefined> => {
  const words = test.value.map((word) => word.value)
  const isText = test.at._tag === 'Scalar'
  const [mode, ...rest] = isText ? ['CMD-SHELL', ...words] : words
  if (mode === 'NONE') return C.ok(undefined)
  if (mode !== 'CMD' && mode !== 'CMD-SHELL') return C.fail(unusable(test, `unknown form "${mode}"`, forms))
  if (rest.every((word) => word === '')) return C.fail(unusable(test, 'there is no command', forms))
  if (mode === 'CMD') return C.ok({ _tag: 'Exec', command: rest })
  const place = { at: test.at, path: test.path }
  const found = [
    ...(isText && rest[0] === 'NONE'
      ? [warning('DT1106', 'a string is a command, so NONE would be run', { ...place, help: 'write [NONE]' })]
      : []),
    ...(rest.length > 1
      ? [
          warning('DT1106', 'CMD-SHELL takes one string: the words after it are only its arguments $0, $1, …', {
            ...place,
            help: 'write CMD for a list of words',
          }),
        ]
      : []),
  ]
  return C.note({ _tag: 'Exec', command: ['sh', '-c', ...rest] }, found)
}

const readHttp = (http: Http): Checked<HealthTest> => {
  const { path, port } = http.value
  const found: ReadonlyArray<Diagnostic> = [
    ...(path?.value.startsWith('/') === true ? [] : [unusable(path ?? http, 'http needs a path that begins with /')]),
    ...(port === undefined ? [unusable(http, 'http needs a port')] : C.findings(inRange('a port', 1, 65_535)(port))),
  ]
  return C.note({ _tag: 'Http', path: path?.value ?? '/', port: port?.value ?? 0 }, found)
}

/** Whole seconds, rounded up; 0 counts as absent, as in Docker. */
const readSeconds = (written: Located<string> | undefined): Checked<number | undefined> =>
  optional(written, (present) =>
    C.andThen(({ value: ms }: Located<number>) =>
      C.note(
        ms === 0 ? undefined : Math.max(1, Math.ceil(ms / 1000)),
        ms > 0 && ms < 1000
          ? [
              warning('DT1106', 'rounded up to one second, the shortest time that a probe can have', {
                at: present.at,
                path: present.path,
              }),
            ]
          : [],
      ),
    )(parse('DT1019', readDuration, 'write a duration such as 10s or 1m30s')(present)),
  )

/** Compose drops a fraction. */
const wholeRetries = (retries: Located<string>): Checked<Located<number>> => {
  const whole = { ...retries, value: Math.trunc(Number(retries.value)) }
  const isWhole = whole.value === Number(retries.value)
  const place = { at: retries.at, path: retries.path }
  return C.note(
    whole,
    isWhole ? [] : [warning('DT1106', `a number of retries is whole: ${whole.value} is used`, place)],
  )
}

const readRetries = (written: Located<string> | undefined): Checked<number | undefined> =>
  optional(written, (present) => C.andThen(countRetries)(wholeRetries(present)))

const countRetries = (retries: Located<number>): Checked<number | undefined> =>
  retries.value === 0
    ? C.note(undefined, [
        warning('DT1106', 'no retries means the default of 3', { at: retries.at, path: retries.path }),
      ])
    : C.map((r: Located<number>) => r.value)(inRange('retries', 1, 2_147_483_647)(retries))

const readCheck = (raw: Raw): Checked<HealthTest | undefined> => {
  const { test, http } = raw.value
  if (test !== undefined && http !== undefined) {
    return C.fail(
      error('DT1032', 'test and http exclude each other', {
        at: http.at,
        path: raw.path,
        help: 'keep one of them',
        related: [{ at: test.at, message: 'test is here' }],
      }),
    )
  }
  if (http !== undefined) return readHttp(http)
  if (test?.value.some(({ value }) => value !== '') === true) return readTest(test)
  return C.note(undefined, [
    warning('DT1106', 'there is neither test nor http, so there is no probe', {
      at: raw.at,
      path: raw.path,
      help: "Kubernetes does not know the image's own check: write it as test",
    }),
  ])
}

/** `undefined` when there is no probe. Finds DT1032 and DT1019; warns DT1106. */
export const readHealthcheck = (raw: Raw): Checked<Healthcheck | undefined> => {
  const { value } = raw
  if (value.disable?.value === true) return C.ok(undefined)
  const readiness = value['x-devtool-readiness']?.value ?? true
  const liveness = value['x-devtool-liveness']?.value ?? false
  const parts = C.struct({
    check: readCheck(raw),
    periodSeconds: readSeconds(value.interval),
    timeoutSeconds: readSeconds(value.timeout),
    failureThreshold: readRetries(value.retries),
    initialDelaySeconds: readSeconds(value.start_period),
  })
  return C.andThen(({ check, ...times }: NonNullable<C.ValueIn<typeof parts>>): Checked<Healthcheck | undefined> => {
    if (check === undefined) return C.ok(undefined)
    const places = defined({
      check: (value.test ?? value.http)?.at,
      periodSeconds: value.interval?.at,
      timeoutSeconds: value.timeout?.at,
      failureThreshold: value.retries?.at,
      initialDelaySeconds: value.start_period?.at,
      readiness: value['x-devtool-readiness']?.at,
      liveness: value['x-devtool-liveness']?.at,
    })
    if (readiness || liveness) return C.ok({ at: raw.at, check, readiness, liveness, ...defaults, ...times, places })
    return C.note(undefined, [
      warning('DT1106', 'x-devtool-readiness and x-devtool-liveness are both false, so there is no probe', {
        at: raw.at,
        path: raw.path,
      }),
    ])
  })(parts)
}
