import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeProcess } from '../../../src/adapters/node-fs/this-process.ts'
import { markOf, ownerIn } from '../../../src/adapters/process/owner.ts'
import { systemMachine } from '../../../src/adapters/system/machine.ts'
import { isRunningHere } from '../../../src/app/dev/activate.ts'
import type { Holder } from '../../../src/domain/dev/record.ts'
import { until } from '../../support/process/until.ts'

const machine = systemMachine()
const own = ownerIn(machine.mark)
const me: Holder = { user: 'ann', machine: machine.host, pid: process.pid, session: 's', mark: machine.mark }

const isHere = (holder: Holder): boolean => isRunningHere({ machine, thisProcess: nodeProcess }, holder)

test('a session whose process runs is running', () => {
  assert.ok(isHere(me))
  assert.not(isHere({ ...me, machine: 'elsewhere' }))
})

test('another process with the pid of a session is not mistaken for it', () => {
  if (own === undefined) throw new Error('the system does not tell when processes began')
  assert.not(isHere({ ...me, mark: markOf({ ...own, start: '1' }) }))
  assert.not(isHere({ ...me, mark: markOf({ ...own, boot: 'before' }) }))
  assert.not(isHere({ ...me, mark: markOf({ ...own, pidNamespace: 'pid:[1]' }) }))
})

test('a process that has ended does not run, even if its parent never asks for its status', async () => {
  if (own === undefined) throw new Error('the system does not tell when processes began')
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line) => resolve(Number(line))))
    const fields = (): ReadonlyArray<string> => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
    // A shell would ask how it ended, `sleep` never does.
    const nameOf = (id: number | undefined): string => readFileSync(`/proc/${id}/comm`, 'utf8').trim()
    await until('the parent is no shell any more', () => nameOf(parent.pid) === 'sleep')
    process.kill(pid, 'SIGKILL')
    await until('it is a zombie', () => fields()[2] === 'Z')
    assert.not(isHere({ ...me, mark: markOf({ ...own, pid, start: fields()[21] ?? '' }) }))
  } finally {
    parent.kill()
  }
})

test('for a session without a start time, the pid decides', () => {
  const { mark: _mark, ...unmarked } = me
  assert.ok(isHere(unmarked))
  assert.not(isHere({ ...unmarked, pid: 2 ** 22 + 1 }))
})

test.run()
