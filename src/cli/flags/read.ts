/** Reads and checks values of flags. Every function finds DT2001. */
import * as E from 'fp-ts/lib/Either.js'
import { readSwitch } from '../../app/project/settings.ts'
import type { Report } from '../../app/reports/reports.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { warning } from '../../domain/diagnostic/diagnostic.ts'
import { readDuration } from '../../domain/text/duration.ts'
import { didYouMean } from '../../domain/text/suggest.ts'
import { reportForms } from './forms.ts'
import { usage } from './usage.ts'

const listed = (values: ReadonlyArray<string>): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const isOneOf = <A extends string>(text: string, values: ReadonlyArray<A>): text is A =>
  values.some((value) => value === text)

export const oneOf = <A extends string>(flag: string, text: string, values: ReadonlyArray<A>): Checked<A> => {
  if (isOneOf(text, values)) return C.ok(text)
  return C.fail(usage(`${flag}: unknown value "${text}"`, didYouMean(text, values, `use ${listed(values)}`)))
}

/** Milliseconds. */
export const duration = (flag: string, text: string): Checked<number> => {
  const read = readDuration(text)
  return E.isRight(read)
    ? C.ok(read.right)
    : C.fail(usage(`${flag}: ${read.left.message}`, 'write a number and a unit, for example 90s or 5m'))
}

/** `NAME=VALUE` each; the last value of a name counts. */
export const assignments = (flag: string, texts: ReadonlyArray<string>): Checked<ReadonlyMap<string, string>> => {
  const pairs = C.each((text: string): Checked<readonly [string, string]> => {
    const at = text.indexOf('=')
    if (at > 0) return C.ok([text.slice(0, at), text.slice(at + 1)] as const)
    return C.fail(usage(`${flag}: "${text}" is not an assignment`, `write ${flag} NAME=VALUE`))
  })(texts)
  return C.map((entries: ReadonlyArray<readonly [string, string]>) => new Map(entries))(pairs)
}

/** `NAME=VALUE` each, or `NAME` for a variable of the environment; what is not set there is left to the Dockerfile. */
export const buildArguments =
  (env: Readonly<Record<string, string | undefined>>) =>
  (flag: string, texts: ReadonlyArray<string>): Checked<ReadonlyMap<string, string>> => {
    const said = texts.flatMap((text) => {
      if (text.includes('=')) return [text]
      const value = env[text]
      return value === undefined ? [] : [`${text}=${value}`]
    })
    const unset = texts.filter((text) => !text.includes('=') && env[text] === undefined)
    return C.andThen((known: ReadonlyMap<string, string>) =>
      C.note(
        known,
        unset.map((name) =>
          warning('DT4042', `${flag}: ${name} is not set in the environment, so the default of the Dockerfile counts`, {
            help: `set ${name}, or write ${flag} ${name}=VALUE`,
          }),
        ),
      ),
    )(assignments(flag, said))
  }

/** `sarif=FILE` or `codequality=FILE` each. */
export const reports = (flag: string, texts: ReadonlyArray<string>): Checked<ReadonlyArray<Report>> =>
  C.each((text: string): Checked<Report> => {
    const at = text.indexOf('=')
    const [form, file] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
    if (file === '') return C.fail(usage(`${flag}: "${text}" does not name a file`, `write ${flag} FORM=FILE`))
    return C.map((known: Report['form']) => ({ form: known, file }))(oneOf(flag, form, reportForms))
  })(texts)

/** A variable that switches something on; unset and empty mean off. */
export const switchVariable = (name: string, text: string | undefined): Checked<boolean> => {
  const value = text === undefined || text === '' ? false : readSwitch(text)
  return value === undefined
    ? C.fail(usage(`${name}: "${text}" is neither true nor false`, 'write true or false'))
    : C.ok(value)
}

/** As `history` counts them. */
export const deploymentNumber = (written: string | undefined): Checked<number | undefined> =>
  written === undefined || /^[1-9]\d{0,8}$/.test(written)
    ? C.ok(written === undefined ? undefined : Number(written))
    : C.fail(usage(`"${written}" is no number of a deployment`, '`devtool history` lists them'))
