/** The port `AgentFiles`: the build puts these files beside the program. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import type { AgentFiles } from '../../ports/agent-files.ts'
import { reasonOf } from './files.ts'

/** From source, the build is in `dist/`. */
const folder = (): string => {
  const beside = join(import.meta.dirname, 'agent')
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../../dist/agent')
}

const readAll = async (from: string): Promise<Readonly<Record<string, string>>> => {
  const names = await readdir(from)
  const files = names.map(async (name) => [name, (await readFile(join(from, name))).toString('base64')] as const)
  return Object.fromEntries(await Promise.all(files))
}

export const nodeAgentFiles: AgentFiles = {
  read: TE.tryCatch(
    () => readAll(folder()),
    (cause) =>
      error('DT9001', `the files of the agent cannot be read: ${reasonOf(cause)}`, { help: 'install devtool again' }),
  ),
}
