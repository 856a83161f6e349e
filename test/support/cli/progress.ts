/** Sequences of progress events for tests, and a terminal that records what was written. */
import type { ProgressEvent, StepState } from '../../../src/domain/progress/event.ts'

export const step = (id: string, state: StepState, detail: string, atMs: number): ProgressEvent => ({
  _tag: 'Step',
  id,
  title: id,
  state,
  detail,
  atMs,
})

/**
 * A deploy with everything in it: waiting, a failure, output of a command, a warning, texts that attack the terminal.
 */
export const story: ReadonlyArray<ProgressEvent> = [
  step('db', 'Waiting', '', 0),
  step('web', 'Waiting', 'waiting for db', 0),
  step('worker-with-a-very-long-name-that-no-narrow-terminal-holds', 'Waiting', 'waiting for db', 0),
  { _tag: 'Said', text: 'using kind-dev, namespace shop' },
  step('db', 'Running', 'applying', 400),
  step('db', 'Running', '0 of 1 pods ready, pulling image postgres:16', 1200),
  { _tag: 'Output', source: 'migrate', text: 'creating \u001b[1mtables\u001b[0m\n\u001b[2Jdone' },
  step('db', 'Done', '1 of 1 pods ready', 9000),
  step('web', 'Running', 'applying', 9000),
  step('web', 'Running', '0 of 3 pods ready, 数据库 \u001b[31mred\u0007 \u202e', 9300),
  {
    _tag: 'Found',
    diagnostic: { severity: 'warning', code: 'DT3132', message: 'Deployment/web: spec.x is unknown', help: 'leave it' },
  },
  step('worker-with-a-very-long-name-that-no-narrow-terminal-holds', 'Failed', 'image cannot be pulled', 21_500),
  step('cron', 'Skipped', 'not started', 21_600),
]

const ESC = '\u001b'

/** The screen of a terminal that supports cursor up, carriage return and erasing only. */
export const screenOf = (written: string): ReadonlyArray<string> => {
  const lines: Array<string> = ['']
  for (const part of written.split(/(\u001b\[\d*[A-Za-z]|\r|\n)/)) {
    const up = /^\u001b\[(\d+)A$/.exec(part)
    if (up !== null) {
      for (let row = Number(up[1]); row > 0; row -= 1) if (lines.length > 1) lines.pop()
      lines[lines.length - 1] = ''
    } else if (part === '\n') lines.push('')
    else if (part !== '\r' && part !== `${ESC}[J` && part !== `${ESC}[K`) lines[lines.length - 1] += part
  }
  return lines.filter((line, index) => line !== '' || index < lines.length - 1)
}
