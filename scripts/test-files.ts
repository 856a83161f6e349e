/** Selects the files for the test runner. The structure check uses it as well, so that no test is left out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

/** Matched against the path below the test folder. */
export const testPattern = /\.test\.ts$/

/** Below test/, and not part of the ordinary run: one needs a cluster, the other a Node that is fetched. */
export const e2eFolder = 'e2e'
export const releaseFolder = 'release'

/**
 * Tests that stop the API server or a node, try a policy that does harm, break dozens of services, or define kinds that
 * other tests expect to be missing: nothing runs beside them.
 */
export const disturbsOthers = (file: string): boolean =>
  /\/(?:dev-paused|node-lost|platform-policies|reliability|why)[^/]*$/.test(file)

/** Tests that install the platform, of which a cluster has one: they run one after the other. Its pages need no cluster. */
export const installsThePlatform = (file: string): boolean => /\/[^/]*platform(?!-pages)[^/]*$/.test(file)

/** Tests that start the command as users do, and can start a single executable instead. */
export const startsTheCommand = (file: string): boolean =>
  readFileSync(file, 'utf8').includes("support/cli/installed.ts'")

/** The test files below a folder, sorted. */
const testsBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path.replaceAll('\\', '/')))
    .filter((path) => testPattern.test(path))
    .toSorted()

/** The files of a suite, or the given test files and folders. */
export const pickTests = (suite: ReadonlyArray<string>, given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const paths = given.length === 0 ? suite : given
  const files = paths.flatMap((path) => (testPattern.test(path) ? [path] : testsBelow(path)))
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new Error(`there is no test file ${missing}`)
  return files
}
