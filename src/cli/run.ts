/** Code shared by commands that start runs on a platform. */
import { deadline } from '../app/concurrency/deadline.ts'
import type { PlatformOnly } from '../app/context/platform-of.ts'
import type { PipelineCall } from '../app/pipelines/pipelines.ts'
import type { LineSink } from '../app/pipelines/waiting.ts'
import { givenName, legalName } from '../app/project/environment-name.ts'
import type { Result } from '../app/result.ts'
import type { Checked } from '../domain/checked.ts'
import * as C from '../domain/checked.ts'
import type { RunRecord } from '../domain/platform/run/record.ts'
import { dnsLabel } from '../domain/text/dns-name.ts'
import { harmless } from '../domain/text/harmless.ts'
import { baseName } from '../domain/text/path.ts'
import type { Ports } from '../ports/ports.ts'
import type { CommandCall } from './command.ts'
import { flag, list, text } from './flags/flag.ts'
import { definedOf } from './flags/project.ts'
import { assignments } from './flags/read.ts'
import type { Outcome } from './outcome.ts'
import { teamOf } from './team.ts'
import { hasColor } from './terminal.ts'

export const deployFlags = {
  repository: text('--repository', {
    value: 'URL',
    about: 'HTTPS address of the repository; default: that of the clone in this folder',
  }),
  file: text('--file', {
    value: 'PATH',
    about: 'Compose file or manifest in the repository; default: found by its name, as `devtool deploy` does',
  }),
  var: list('--var', { value: 'NAME=VALUE', about: 'variable of the run; repeatable' }, assignments),
}

export const pipelineName = text('--name', {
  value: 'NAME',
  offers: 'environments',
  about: 'name of the pipeline; default: folder name',
})

export const wait = flag('--wait', 'follow the log until the run has ended, and end with its status')

/** Finds DT2001. */
export const nameOf = ({ cwd, env }: CommandCall, name: string | undefined): Checked<string> => {
  const shell = definedOf(env)
  const given = givenName({ name, given: new Map(), shell })
  return given === undefined ? C.ok(dnsLabel(baseName(cwd))) : legalName(given, { name: given.text, isWritten: false })
}

/** Log lines go to stdout, unless the output is a document. */
export const sinkOf = ({ env, isTerminal, rawStderr, stdout }: CommandCall, form: string): LineSink => {
  const isElsewhere = form !== 'text'
  const [print, isColored] = isElsewhere
    ? [rawStderr, hasColor(env, isTerminal.stderr)]
    : [stdout, hasColor(env, isTerminal.stdout)]
  return async (line) => (await print(`${harmless(line.text, isColored)}\n`))._tag === 'Done'
}

type Given = Parameters<typeof teamOf>[1] & {
  readonly timeout: number
  readonly wait: boolean
  readonly output: string
}

/** `run` gets a signal that is also aborted at the timeout. */
export const startingRun = async <A extends { readonly run?: RunRecord }>(
  call: CommandCall,
  given: Given,
  only: PlatformOnly,
  run: (ports: Ports, call: PipelineCall) => Promise<Result<A>>,
): Promise<Result<A>> => {
  const team = await teamOf(call, given, only)
  const ports = await call.ports()
  const { clear, signal } = deadline(ports.clock, given.timeout, team.call.signal)
  const sink = given.wait ? sinkOf(call, given.output) : undefined
  const say = (line: string) => call.stderr(`${line}\n`)
  const done = await run(ports, { ...team.call, signal, timeoutMs: given.timeout, sink, say })
  clear()
  return done
}

/** A command that waited ends with the status of its run. */
export const withStatus = (outcome: Outcome, run: RunRecord | undefined): Outcome => {
  if (run === undefined || run.status === 'queued' || run.status === 'running') return outcome
  return { ...outcome, status: run.status === 'succeeded' ? 0 : run.exitStatus || 1 }
}
