/** What is wrong with an environment, for people: cause, evidence, what to do, and the next command. */
import { visible, visibleLines } from '../text/visible.ts'
import type { Cause } from './cause.ts'
import type { ServiceState } from './story.ts'

/** `log`: the last lines of the log that the cause points to. */
export type Told = { readonly cause: Cause; readonly log: ReadonlyArray<string> }

const INDENT = '  '
const DEEPER = `${INDENT}${INDENT}`

const labelled = (label: string, text: string): string =>
  `${INDENT}${label.padEnd(8)}${visibleLines(text, `${INDENT}${' '.repeat(8)}`)}`

const showCause = ({ cause, log }: Told): string => {
  const { alike, code, event, help, logs, message, next, object, subject } = cause
  const others = alike === undefined ? '' : `, and ${alike} more`
  const lines = [
    `error ${code}: ${visible(subject)}: ${visibleLines(message, DEEPER)}`,
    labelled('object', object + others),
    ...(event === undefined ? [] : [labelled('event', event)]),
    ...(logs === undefined || log.length === 0
      ? []
      : [labelled('log', `${logs.container} in ${logs.pod}`), ...log.map((line) => DEEPER + visible(line))]),
    ...(help === undefined ? [] : [labelled('fix', help)]),
    ...(next === undefined ? [] : [labelled('next', next.join(' '))]),
  ]
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

const showStarting = (states: ReadonlyArray<ServiceState>): ReadonlyArray<string> =>
  states
    .filter(({ state }) => state === 'starting')
    .map(({ detail, service }) => `starting: ${visible(service)} (${visible(detail)})\n`)

const showHealthy = (states: ReadonlyArray<ServiceState>): ReadonlyArray<string> => {
  const names = states.filter(({ state }) => state === 'healthy').map(({ service }) => visible(service))
  return names.length === 0 ? [] : [`healthy: ${names.join(', ')}\n`]
}

/** The causes in their order, an empty line after each; then what is on its way, and the healthy in one line. */
export const showStory = (states: ReadonlyArray<ServiceState>, told: ReadonlyArray<Told>): string =>
  [...told.map((each) => `${showCause(each)}\n`), ...showStarting(states), ...showHealthy(states)].join('')
