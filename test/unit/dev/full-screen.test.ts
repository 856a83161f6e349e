/** Lines for people wait while a program has the whole screen. */
import { PassThrough } from 'node:stream'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyConsole } from '../../../src/adapters/tty/console.ts'
import { afterOutput, type FullScreen, noFullScreen } from '../../../src/domain/dev/full-screen.ts'

const after = (...parts: ReadonlyArray<string>): FullScreen => parts.reduce(afterOutput, noFullScreen)

const [on, off] = ['\u001B[?1049h', '\u001B[?1049l']

test('a program on the alternate screen owns the terminal until it switches back, or the terminal is reset', () => {
  assert.is(after(`vim${on}~~~`).isFull, true)
  assert.is(after(`${on}~~~${off}$ `).isFull, false)
  assert.is(after('\u001B[?25;1049h').isFull, true)
  assert.is(after('\u001B[?47h').isFull, true)
  assert.is(after(`${on}\u001Bc`).isFull, false)
  assert.is(after('\u001B[?25h\u001B[1049h').isFull, false)
})

test('switches of the screen are found however the output is split', () => {
  const piece = fc.constantFrom(on, off, 'text', '\u001B[?25l', '\u001B', '\u001B[?', '\u001B[31m')
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(60)), (pieces, cuts) => {
      const output = pieces.join('')
      const places = [0, ...cuts, output.length].toSorted((a, b) => a - b)
      const parts = places.slice(1).map((place, index) => output.slice(places[index], place))
      assert.is(after(...parts).isFull, after(output).isFull)
    }),
  )
})

test('messages wait until the program leaves the alternate screen', () => {
  const err = new PassThrough()
  const console = ttyConsole({
    env: {},
    stdin: () => new PassThrough(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is written to it
    stdout: () => new PassThrough() as unknown as NodeJS.WriteStream,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only write is called
    stderr: () => err as unknown as NodeJS.WriteStream,
    isTerminal: { stdin: true, stdout: true },
  })
  const said = (): string => String(err.read() ?? '')
  console.say('before')
  assert.is(said(), 'before\n')
  console.setFullScreen(true)
  console.say('connection lost')
  console.say('connected again')
  assert.is(said(), '')
  console.setFullScreen(false)
  assert.is(said(), 'connection lost\nconnected again\n')
})

test.run()
