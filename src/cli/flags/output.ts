/** Flags for output and progress. */

import { choice, type Flag, list } from './flag.ts'
import { reportForms } from './forms.ts'
import { reports } from './read.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
const progresses = ['auto', 'tty', 'plain', 'json', 'quiet'] as const

/** How the progress of a longer run is shown. */
export type ProgressForm = (typeof progresses)[number]

/**
 * `hasDocument`: stdout is a JSON or YAML document, so the output of commands goes to stderr. `hasEnd`: the last event
 * tells how the run ended. `isDebug`: there is a line for each request.
 */
export type ProgressChoice = {
  readonly form: ProgressForm
  readonly hasDocument: boolean
  readonly hasEnd: boolean
  readonly isDebug: boolean
}

/** `text, json or yaml` */
const listed = (values: ReadonlyArray<string>): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

/** Every command has these flags. */
export const loglevel = choice(
  '--loglevel',
  {
    value: 'LEVEL',
    about: `what to print on stderr: error, warn (errors and warnings), info (notes as well) or debug (requests as well); default warn`,
  },
  levels,
  'warn',
)

export const output = <A extends string>(
  forms: ReadonlyArray<A>,
  otherwise: A,
  about: string = listed(forms),
): Flag<A> => choice('-o,--output', { value: 'FORM', about }, forms, otherwise)

export const progress = choice(
  '--progress',
  { value: 'FORM', about: `${listed(progresses)}; default auto` },
  progresses,
  'auto',
)

export const report = list(
  '--report',
  {
    value: 'FORM=FILE',
    values: reportForms.map((form) => `${form}=`),
    about: 'also write findings to a file: sarif=FILE or codequality=FILE; repeatable',
  },
  reports,
)
