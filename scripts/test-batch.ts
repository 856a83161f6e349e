/**
 * Runs the test files of its arguments one after the other in this process; a line behind the output of each tells its
 * place among them and how many milliseconds it took, and one more the end.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const shared: typeof globalThis & { UVU_DEFER?: number; UVU_QUEUE?: Array<Array<unknown>> } = globalThis

// uvu runs tests only when it is told to, and finds them in the first list of its queue.
shared.UVU_DEFER = 1
const { exec } = await import('uvu')

for (const [index, file] of process.argv.slice(2).entries()) {
  const started = performance.now()
  shared.UVU_QUEUE = [[null]]
  await import(pathToFileURL(resolve(file)).href)
  await exec()
  process.stdout.write(`\n::done ${Math.round(performance.now() - started)} ${index}\n`)
}
process.stdout.write('\n::all done\n')
