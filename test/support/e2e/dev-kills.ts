/** `up` and `down` as processes that are killed. Afterwards `down NAME` runs elsewhere, and everything is restored. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type CommandResult, shown, startDevtool } from './command.ts'
import { type Developed, type Place, stateOf, untilNothingIsLeft, untilRunning } from './developed.ts'
import type { Space } from './e2e.ts'
import { underFaults } from './fault-proxy.ts'

const way = 'faults'
const kubeconfig = (): string => process.env['KUBECONFIG'] ?? ''

const upArgs = ['up', '--yes', '--command', 'echo developed'] as const
const downArgs = ['down', '--volumes'] as const

/** The manifest for every kind that is developed here. */
export const manifestOf = ({ name }: Developed): string => `dev:\n  ${name}:\n    volumes: [/cache]\n`

/** Gives one process another host name. */
const elsewhere = ['--import', 'data:text/javascript,import os from "node:os"; os.hostname = () => "another-machine"']

type Killed = { readonly writes: number; readonly ended: CommandResult }

/** When to send SIGKILL: after the server has done a write, or after so many milliseconds. */
export type Kill = { readonly afterWrite: number } | { readonly afterMs: number }

const killed = async (space: Space, when: Kill, [command = '', ...flags]: ReadonlyArray<string>): Promise<Killed> => {
  let [writes, kill]: [number, () => void] = [0, () => {}]
  const afterWrite = (count: number): void => {
    writes = count
    if ('afterWrite' in when && count === when.afterWrite) kill()
  }
  return underFaults(kubeconfig(), { seed: 0, afterWrite }, async (proxy) => {
    const running = space.through(proxy.kubeconfig, way).start(command, ...flags)
    kill = () => running.child.kill('SIGKILL')
    if ('afterMs' in when) void sleep(when.afterMs).then(kill)
    const ended = await running.ended
    return { writes, ended }
  })
}

/**
 * `down NAME` in an empty folder with another home, through a cluster that is unknown there. `isOther`: on another
 * machine.
 */
const downElsewhere = async (space: Space, { name }: Developed, isOther: boolean): Promise<CommandResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'elsewhere-'))
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, NO_COLOR: '1', KUBECONFIG: kubeconfig() }
  const [command, ...flags] = downArgs
  const args = [command, name, ...flags, '--namespace', space.namespace]
  try {
    return await startDevtool(args, { cwd: folder, env, ...(isOther && { nodeArgs: elsewhere }) }).ended
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Trial = {
  readonly space: Space
  readonly place: Place
  readonly developed: Developed
  /** The state expected afterwards. */
  readonly before: unknown
  readonly isOther: boolean
}

const restored = async (trial: Trial, what: string): Promise<void> => {
  const { before, developed, isOther, place, space } = trial
  const down = await downElsewhere(space, developed, isOther)
  assert.is(down.status, 0, `${what}: ${shown(down)}`)
  assert.equal(await stateOf(place, developed), before, what)
  await untilNothingIsLeft(place, true)
  await untilRunning(place, developed)
}

const wasKilled = ({ ended }: Killed): boolean => ended.status === 137

/** The number of its writes when it ended before it was killed. */
export const killedUp = async (trial: Trial, when: Kill): Promise<number | undefined> => {
  const up = await killed(trial.space, when, upArgs)
  if (!wasKilled(up)) assert.is(up.ended.status, 0, shown(up.ended))
  await restored(trial, `up killed ${JSON.stringify(when)}`)
  return wasKilled(up) ? undefined : up.writes
}

export const killedDown = async (trial: Trial, when: Kill): Promise<number | undefined> => {
  await trial.space.must(...upArgs)
  const down = await killed(trial.space, when, downArgs)
  if (!wasKilled(down)) assert.is(down.ended.status, 0, shown(down.ended))
  await restored(trial, `down killed ${JSON.stringify(when)}`)
  return wasKilled(down) ? undefined : down.writes
}
