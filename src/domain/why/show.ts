/** What is wrong with an environment, for people: cause, evidence, help, and the next command. */
import { visible, visibleLines } from '../text/visible.ts'
import type { WhyReport } from './report.ts'

type States = WhyReport['services']

const INDENT = '  '
const DEEPER = `${INDENT}${INDENT}`

const labelled = (label: string, text: string): string =>
  `${INDENT}${label.padEnd(8)}${visibleLines(text, `${INDENT}${' '.repeat(8)}`)}`

const showCause = (cause: WhyReport['causes'][number], severity: 'error' | 'warning'): string => {
  const { alike, code, event, help, logs, message, next, object, service } = cause
  const others = alike === undefined ? '' : `, and ${alike} more`
  const lines = [
    `${severity} ${code}: ${visible(service)}: ${visibleLines(message, DEEPER)}`,
    labelled('object', object + others),
    ...(event === undefined ? [] : [labelled('event', event)]),
    ...(logs === undefined || logs.lines.length === 0
      ? []
      : [labelled('log', `${logs.container} in ${logs.pod}`), ...logs.lines.map((line) => DEEPER + visible(line))]),
    ...(help === undefined ? [] : [labelled('fix', help)]),
    ...(next === undefined ? [] : [labelled('next', next.join(' '))]),
  ]
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

const showStarting = (states: States): ReadonlyArray<string> =>
  states
    .filter(({ state }) => state === 'starting')
    .map(({ detail, service }) => `starting: ${visible(service)} (${visible(detail)})\n`)

const showDeveloped = (states: States): ReadonlyArray<string> =>
  states
    .filter(({ isDeveloped, state }) => isDeveloped === true && state === 'healthy')
    .map(({ detail, service }) => `healthy: ${visible(service)} (${visible(detail)})\n`)

const showHealthy = (states: States): ReadonlyArray<string> => {
  const names = states
    .filter(({ isDeveloped, state }) => isDeveloped !== true && state === 'healthy')
    .map(({ service }) => visible(service))
  return names.length === 0 ? [] : [`healthy: ${names.join(', ')}\n`]
}

/**
 * The causes in order and the remarks, each followed by an empty line; then the services that are starting, those that
 * are developed, and the healthy ones in one line.
 */
export const showStory = ({ causes, remarks, services }: Pick<WhyReport, 'causes' | 'remarks' | 'services'>): string =>
  [
    ...causes.map((cause) => `${showCause(cause, 'error')}\n`),
    ...remarks.map((cause) => `${showCause(cause, 'warning')}\n`),
    ...showStarting(services),
    ...showDeveloped(services),
    ...showHealthy(services),
  ].join('')
