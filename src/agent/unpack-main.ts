/**
 * The program that unpacks the files of a development container: its standard input, into the folder of its argument.
 * Prints what could not be unpacked, each followed by a zero byte.
 */
import { unpack } from './unpack.ts'

const [, , folder = '.'] = process.argv
unpack(process.stdin, folder).then(
  (left) => process.stdout.write(left.map((one) => `${one}\0`).join('')),
  (cause: unknown) => {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
    process.exitCode = 1
  },
)
