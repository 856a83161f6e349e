import type { ReadLogs } from '../../app/logs/request.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type CommandCall, checked, command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { defaulted, flag, may, text, toggle } from '../flags/flag.ts'
import { logForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { duration } from '../flags/read.ts'
import { usage } from '../flags/usage.ts'
import type { Outcome } from '../outcome.ts'
import { type Connected, inEnvironment, inTarget } from '../target.ts'
import { hasColor } from '../terminal.ts'
import type { Look } from '../view/logs.ts'
import { viewed } from '../view/view.ts'

/** `undefined` means all lines. */
const lineCount = (name: string, written: string): Checked<number | undefined> =>
  /^(?:-1|\d{1,9})$/.test(written)
    ? C.ok(written === '-1' ? undefined : Number(written))
    : C.fail(usage(`${name}: "${written}" is no number of lines`, 'write a whole number; -1 is all lines'))

/** Messages for when there is nothing to read. */
const saidOf = {
  Logs: [],
  NoPods: ['no pods, so no logs'],
  NoPrevious: ['no container has been restarted, so no earlier logs'],
}

const print = async (
  { stdout }: CommandCall,
  { ports, target, signal }: Connected,
  wanted: Omit<ReadLogs, 'sink' | 'target' | 'signal'>,
  look: Look,
): Promise<Outcome> => {
  const { readLogs } = await import('../../app/logs/logs.ts')
  const { logView } = await import('../view/logs.ts')
  const { show, sources } = logView(look)
  const lines: ReadLogs['sink']['lines'] = async (batch) => (await stdout(show(batch)))._tag === 'Done'
  const read = await readLogs(ports)({ ...wanted, target, signal, sink: { sources, lines } })
  return viewed(read, ({ found }) => ({ said: saidOf[found] }))
}

/** In kubectl and docker `-f` means `--follow`; here it takes a file, so a service name after it deserves a hint. */
const hinted = (outcome: Outcome, files: ReadonlyArray<string>): Outcome => ({
  ...outcome,
  findings: outcome.findings.map((found) => {
    const service = files.find((file) => /^[\w-]+$/.test(file) && found.message === `file not found: ${file}`)
    if (service === undefined) return found
    return error('DT1007', found.message, {
      help: `a value after -f names a file; \`logs ${service} -f\` follows the service "${service}"`,
    })
  }),
})

export const logs = command({
  name: 'logs',
  group: 'Environment',
  about: 'show and follow the logs of the environment',
  details: `
    Shows the logs of all pods of the environment, including init containers, Jobs, sidecars and terminated containers. On a terminal it follows them until Ctrl-C, across restarts and new pods; otherwise it prints what is available, sorted by time, and exits.

    The argument is a regular expression (RE2) that matches service names from the start: \`api\` matches every service whose name starts with api. JSON lines are formatted for reading; \`--raw\` prints them unchanged.
  `,
  examples: [
    ['Follow everything', '$0 logs'],
    ['Services whose name starts with api, except api-test', '$0 logs api --exclude api-test'],
    ['Why a container of api ended', '$0 logs api --previous'],
    ['The last ten lines of each container as JSON', '$0 logs --tail 10 --no-follow -o json'],
  ],
  words: { service: may('serviceName', { offers: 'services' }) },
  flags: {
    ...namingFlags,
    ...clusterFlags,
    file: { ...namingFlags.file, bare: '--follow' },
    all: flag('--all', 'logs of the whole namespace'),
    container: text('-c,--container', {
      value: 'NAME',
      about: 'only show containers of this name',
      offers: 'containers',
    }),
    previous: flag('--previous', 'show the logs of containers before their last restart, which are not followed'),
    exclude: text('--exclude', { value: 'EXPRESSION', about: 'regular expression of services to exclude' }),
    since: defaulted(
      '--since',
      { value: 'DURATION', about: 'only show lines newer than this; default 48h0m0s' },
      '48h0m0s',
      duration,
    ),
    tail: defaulted(
      '--tail',
      { value: 'LINES', about: 'number of lines from the end of each log, -1 for all; default 100' },
      '100',
      lineCount,
    ),
    timestamps: flag('--timestamps', 'print a timestamp before each line'),
    follow: toggle(
      '--follow',
      'keep following until Ctrl-C, also `-f` without a value; --no-follow: print what is available and exit. Default: follow on a terminal',
    ),
    raw: flag('--raw', 'print JSON lines unchanged'),
    output: output(logForms, 'text', 'text or json (one object per line)'),
  },
  run: async (given, call) => {
    const { readPattern } = await import('../../domain/logs/pattern.ts')
    const pattern = (what: string, written: string) => {
      const read = readPattern(what, written)
      return read._tag === 'Left' ? C.fail(read.left) : C.ok(read.right)
    }
    const patterns = C.struct({
      includes: pattern('serviceName', given.service ?? ''),
      excludes: given.exclude === undefined ? C.ok(() => false) : pattern('--exclude', given.exclude),
    })
    if (given.all) await call.sayUnused(Object.keys(namingFlags), 'with --all')
    if (given.previous) await call.sayUnused(['follow'], 'with --previous')
    return checked(patterns, async ({ excludes = () => false, includes = () => true }) => {
      const wanted = {
        expression: given.service ?? '',
        includes,
        excludes,
        sinceSeconds: Math.max(1, Math.ceil(given.since / 1000)),
        ...defined({ tail: given.tail, container: given.container }),
        isPrevious: given.previous,
        isFollowing: !given.previous && (given.follow ?? call.isTerminal.stdout),
      }
      const look = {
        form: given.output,
        isRaw: given.raw,
        isColored: hasColor(call.env, call.isTerminal.stdout),
        hasTimes: given.timestamps,
      }
      if (given.all)
        return inTarget(call, { reach: reachOf(given), use: 'Read' }, (connected) =>
          print(call, connected, wanted, look),
        )
      const outcome = await inEnvironment(call, given, ({ environment, ...connected }) =>
        print(call, connected, { ...wanted, environment }, look),
      )
      return hinted(outcome, given.file)
    })
  },
})
