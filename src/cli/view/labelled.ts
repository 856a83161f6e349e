/** Several programs in one terminal: each line has the label of its program, and none of them gets input. */
import { PassThrough, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { harmless } from '../../domain/text/harmless.ts'
import type { Console } from '../../ports/console.ts'

/** A longer line is split: a program may never end its line. */
const longestLine = 16 * 1024

/** Whole lines, each behind the label. */
const lines = (to: Writable, label: string): Writable => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const show = (line: string): string => `${label}${harmless(line, true)}\n`
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const all = (rest + decoder.write(chunk)).split('\n')
      rest = all.pop() ?? ''
      if (rest.length > longestLine) {
        all.push(rest)
        rest = ''
      }
      const text = all.map(show).join('')
      if (text === '' || to.write(text)) done()
      else to.once('drain', () => done())
    },
    final: (done) => {
      if (rest !== '') to.write(show(rest))
      done()
    },
  })
}

/** `label`: including the separator before the line. `marked`: for devtool's own lines. */
export const labelled = (console: Console, label: string, marked = (text: string) => text): Console => {
  const [stdout, stderr] = [lines(console.stdout(), label), lines(console.stderr(), label)]
  const stdin = new PassThrough()
  return {
    ...console,
    stdin: () => stdin,
    stdout: () => stdout,
    stderr: () => stderr,
    raw: () => () => {},
    say: (text) => void stderr.write(`${marked(text)}\n`),
  }
}
