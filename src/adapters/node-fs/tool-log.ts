/**
 * The log that devtool keeps of its own requests: a file for each run, in the `log` folder of {@link Home}. Best
 * effort: a log that cannot be written is left out.
 */
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { isToolLog, redactor } from '../../domain/doctor/redact.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import { privatePath } from './home.ts'

const mostRuns = 20
const mostBytes = 1024 * 1024
const rest = 'what follows is left out: the log is full\n'

const removeOld = (folder: string): void => {
  const old = readdirSync(folder)
    .filter(isToolLog)
    .toSorted()
    .slice(0, -(mostRuns - 1))
  for (const name of old) rmSync(join(folder, name), { force: true })
}

/** `undefined` when there is no folder for it. */
const create = (env: Readonly<Record<string, string | undefined>>, date: string): number | undefined =>
  E.match(
    () => undefined,
    (path: string) => {
      removeOld(dirname(path))
      return openSync(path, 'wx', 0o600)
    },
  )(privatePath(env, `log/${date.replace(/\D/g, '').slice(0, 14)}-${process.pid}.log`))

/** The file is created with the first line. */
export const toolLog = (
  env: Readonly<Record<string, string | undefined>>,
  clock: Pick<Clock, 'date'>,
): ((line: string) => void) => {
  const redact = redactor([])
  let file: number | undefined
  let left = mostBytes
  const write = (text: string): void => {
    if (left <= 0) return
    if (left === mostBytes) file = create(env, clock.date())
    if (file === undefined) {
      left = 0
      return
    }
    const length = Buffer.byteLength(text)
    const isLast = left - length < rest.length
    writeSync(file, isLast ? rest : text)
    left = isLast ? 0 : left - length
    if (isLast) closeSync(file)
  }
  return (line) => {
    try {
      write(`${clock.date()} ${visible(redact(line))}\n`)
    } catch {
      // A full disk, for example.
      left = 0
    }
  }
}
