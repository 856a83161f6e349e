/** A line of a log, and its source. */

export type LogSource = { readonly service: string; readonly pod: string; readonly container: string }

/** `time` as the server wrote it, '' when it did not. */
export type LogLine = { readonly time: string; readonly text: string }

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/

/** Splits a line that was requested with its timestamp. */
export const splitTime = (line: string): LogLine => {
  const end = line.indexOf(' ')
  const time = end === -1 ? line : line.slice(0, end)
  return TIME.test(time) ? { time, text: end === -1 ? '' : line.slice(end + 1) } : { time: '', text: line }
}

/** Recognises what a node answers for a log that it has removed: unlike a line of a log, it has no time. */
export const isLogLost = ({ text, time }: LogLine): boolean =>
  time === '' && text.startsWith('unable to retrieve container logs for ')
