/** A clone of a repository of the tests' git server, on this machine. */
import { execFile } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServedWorld } from './served-platform.ts'

const run = promisify(execFile)

/** The folder in which commands are run becomes a clone, whose files are not checked out. */
export const clone = async ({ folder, git }: ServedWorld, repository: string, branch = 'main'): Promise<void> => {
  const authority = join(folder, 'git.pem')
  writeFileSync(authority, git.authority)
  const { hostname, port } = new URL(repository)
  // Only the pods of the cluster resolve its name.
  const resolve = `http.curloptResolve=${hostname}:${port}:127.0.0.1`
  const env = { ...process.env, GIT_SSL_CAINFO: authority }
  await run('git', ['-c', resolve, 'clone', '-q', '-b', branch, repository, 'clone'], { cwd: folder, env })
  renameSync(join(folder, 'clone/.git'), join(folder, '.git'))
}
