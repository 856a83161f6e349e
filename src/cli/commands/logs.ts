import { Command, Option } from 'clipanion'
import type { PrintLogs } from '../../app/logs/request.ts'
import { logForms } from '../../app/output/forms.ts'
import type { Outcome } from '../../app/output/outcome.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { Connected } from '../cluster.ts'
import { usage } from '../mistake.ts'
import { duration, oneOf } from '../options.ts'
import { SeenCommand } from '../seen.ts'
import { hasColor, write } from '../terminal.ts'

/** -1 is all. */
const lines = (text: string): Checked<number> =>
  /^(?:-1|\d{1,9})$/.test(text)
    ? C.ok(Number(text))
    : C.fail(usage(`--tail: "${text}" is no number of lines`, 'write a whole number; -1 is all lines'))

export class LogsCommand extends SeenCommand {
  static override paths = [['logs']]

  static override usage = Command.Usage({
    category: 'Environment',
    description: 'print and follow the logs of the environment',
    details: `
      Of every pod of the environment: init containers, Jobs, sidecars, and containers that have ended. On a terminal it follows until Ctrl-C, with restarts and new pods; else it prints what is there, sorted by time, and ends.

      The argument is a regular expression (RE2) on the names of services, from their start: \`api\` is every service that begins so. Lines that are JSON are made readable; \`--raw\` leaves them as they are.
    `,
    examples: [
      ['Follow everything', '$0 logs'],
      ['Services that begin with api, but not api-test', '$0 logs api --exclude api-test'],
      ['The last ten lines of each container for a program', '$0 logs --tail 10 --no-follow -o json'],
    ],
  })

  service = Option.String({ name: 'serviceName', required: false })
  all = Option.Boolean('--all', false, { description: 'logs of the whole namespace' })
  exclude = Option.String('--exclude', { description: 'regular expression of services to leave out' })
  since = Option.String('--since', '48h0m0s', { description: 'only lines newer than this; default 48h0m0s' })
  tail = Option.String('--tail', '100', {
    description: 'lines from the end of each container, -1 for all; default 100',
  })

  timestamps = Option.Boolean('--timestamps', false, { description: 'print when each line was written' })
  follow = Option.Boolean('--follow', {
    description: 'go on until Ctrl-C; --no-follow: only what is there. Default: follow on a terminal',
  })

  raw = Option.Boolean('--raw', false, { description: 'leave lines that are JSON as they are' })
  output = Option.String('-o,--output', 'text', { description: 'text or json (an object a line)' })

  override isJson(): boolean {
    return this.output === 'json'
  }

  async useCase(): Promise<Outcome> {
    const { readPattern } = await import('../../domain/logs/pattern.ts')
    const pattern = (what: string, text: string) => {
      const read = readPattern(what, text)
      return read._tag === 'Left' ? C.fail(read.left) : C.ok(read.right)
    }
    const options = C.struct({
      includes: pattern('serviceName', this.service ?? ''),
      excludes: this.exclude === undefined ? C.ok(() => false) : pattern('--exclude', this.exclude),
      sinceMs: duration('--since', this.since),
      tail: lines(this.tail),
      form: oneOf('--output', this.output, logForms),
    })
    return this.given(options, ({ excludes, form, includes, sinceMs = 0, tail = 100 }) => {
      const isColored = hasColor(this.context.env, this.context.isTerminal.stdout)
      const wanted = {
        expression: this.service ?? '',
        includes: includes ?? (() => true),
        excludes: excludes ?? (() => false),
        sinceSeconds: Math.max(1, Math.ceil(sinceMs / 1000)),
        ...(tail === -1 ? {} : { tail }),
        isFollowing: this.follow ?? this.context.isTerminal.stdout,
        look: { form: form ?? 'text', isRaw: this.raw, isColored, hasTimes: this.timestamps },
      }
      if (this.all) return this.inSession('Read', (connected) => this.print(connected, wanted))
      return this.inEnvironment(({ environment, ...connected }) => this.print(connected, { ...wanted, environment }))
    })
  }

  private async print(
    { ports, session, signal }: Connected,
    wanted: Omit<PrintLogs, 'out' | 'session' | 'signal'>,
  ): Promise<Outcome> {
    const { printLogs } = await import('../../app/logs/print.ts')
    const out = async (text: string): Promise<boolean> => (await write(this.context.stdout, text))._tag === 'Done'
    return printLogs(ports)({ ...wanted, session, signal, out })
  }
}
