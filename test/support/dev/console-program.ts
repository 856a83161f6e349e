/**
 * A program that reads single keys, like the terminal of a development container, and prints them. Some keys end it,
 * each in its own way; a signal ends it like any command, unless its first argument is `plain`. With `busy` it reads no
 * keys.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { ttyConsole } from '../../../src/adapters/tty/console.ts'
import { statusAfter, watchInterruption } from '../../../src/cli/interruption.ts'
import { isTerminal, standard } from '../../../src/cli/standard.ts'

const [manner = 'handled', ended = ''] = process.argv.slice(2)

const never = (): boolean => false

const console = ttyConsole({
  env: process.env,
  stdin: () => process.stdin,
  stdout: standard(1, () => process.stdout, never).open,
  stderr: standard(2, () => process.stderr, never).open,
  isTerminal: { stdin: isTerminal(0), stdout: isTerminal(1) },
})

const leave = (status: number, isCutOff: boolean): void => {
  restore(isCutOff)
  // Written atomically: its reader waits until the file exists.
  if (ended !== '') {
    writeFileSync(`${ended}.new`, String(status))
    renameSync(`${ended}.new`, ended)
  }
  process.exitCode = status
  console.stdin().pause()
  stopResizing()
  clearInterval(connection)
}

const ways: Readonly<Record<string, () => void>> = {
  q: () => leave(0, false),
  x: () => leave(3, true),
  e: () => process.exit(4),
  t: () => {
    throw new Error('unforeseen')
  },
}

const sizeOf = (): string => `${console.terminal()?.columns}x${console.terminal()?.rows}`
const stopResizing = console.onResize(() => console.say(`size ${sizeOf()}`))
// Keeps running without input.
const connection = setInterval(() => {}, 1_000)
const restore = console.raw()
console.stdin().on('data', (chunk: Buffer) => {
  console.say(`got ${chunk.toString('hex')}`)
  ways[chunk.toString()]?.()
})
if (manner === 'busy') console.stdin().pause()
if (manner !== 'plain') {
  const signal = watchInterruption().signal()
  signal.addEventListener('abort', () => leave(statusAfter(signal) ?? 1, true))
}
console.say(`ready ${process.pid} ${sizeOf()}`)
