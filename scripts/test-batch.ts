/**
 * Runs the test files in its arguments one after the other in this process; after the output of each, a line gives its
 * position and its duration in milliseconds, and another line marks the end.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const shared: typeof globalThis & { UVU_DEFER?: number; UVU_QUEUE?: Array<Array<unknown>> } = globalThis

// uvu runs tests only when told to, and takes them from the first list of its queue.
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
