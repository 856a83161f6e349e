/** A development container whose files are synchronised with the folder of a scenario. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { defined } from '../../../src/domain/object/defined.ts'
import { until } from '../process/until.ts'
import type { RunningCommand } from './command.ts'
import type { Space } from './e2e.ts'
import { sleeping } from './sleeping.ts'

/** `pod`, `container`: fields of their specs. `dev`: further lines of the section. */
type SyncedOptions = { readonly dev?: string; readonly pod?: JsonObject; readonly container?: JsonObject }

/**
 * `here` and `there`: the content of a file, undefined when it is missing. `same`: waits until a file has this content
 * at both ends. `copiesOf`: waits for the kept copies of a file in conflict, in the folder of the scenario.
 */
export type Synced = {
  readonly up: RunningCommand
  readonly here: (path: string) => string | undefined
  readonly there: (path: string) => Promise<string | undefined>
  readonly same: (path: string, content: string | undefined) => Promise<void>
  readonly copiesOf: (name: string) => Promise<ReadonlyArray<string>>
  /** Runs a script in the folder of the container. */
  readonly inPod: (script: string) => Promise<string>
}

const root = '/work'

export const makeSynced = async (
  space: Space,
  files: Readonly<Record<string, string>>,
  options: SyncedOptions = {},
): Promise<void> => {
  const volume = options.dev?.includes('persistentVolume') === true ? '' : '    persistentVolume: { enabled: false }\n'
  space.write('devtool.yml', `dev:\n  api:\n    sync: ["app:${root}"]\n${volume}${options.dev ?? ''}`)
  for (const [path, text] of Object.entries(files)) space.write(`app/${path}`, text)
  const { container = {}, pod } = options
  await space.create('Deployment', sleeping({ replicas: 1, container, ...defined({ pod }) }))
}

/** Waits until the command of `up` runs. */
const startSynced = async (space: Space, ...flags: ReadonlyArray<string>): Promise<Synced> => {
  const up = space.start('up', '--yes', ...flags, '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  const inPod = async (script: string): Promise<string> =>
    (await space.must('exec', '--', 'sh', '-c', `cd ${root} && { ${script}\n}`)).stdout
  const here = (path: string): string | undefined => {
    const full = join(space.folder, 'app', path)
    return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined
  }
  const there = async (path: string): Promise<string | undefined> => {
    const { status, stdout } = await space.run('exec', '--', 'cat', `${root}/${path}`)
    return status === 0 ? stdout : undefined
  }
  const same = async (path: string, content: string | undefined): Promise<void> => {
    await until(`${path} here`, () => Promise.resolve(here(path) === content))
    await until(`${path} there`, async () => (await there(path)) === content)
  }
  const copiesOf = async (name: string): Promise<ReadonlyArray<string>> => {
    const copies = (): ReadonlyArray<string> =>
      fs.readdirSync(join(space.folder, 'app')).filter((one) => one.startsWith(`${name}.conflict-`))
    await until(`a copy of ${name} is here`, () => copies().length > 0)
    return copies()
  }
  return { up, here, there, same, copiesOf, inPod }
}

/** Waits until it has ended. */
const endSynced = async ({ up }: Synced): Promise<void> => {
  up.child.kill('SIGINT')
  await up.ended
}

export const syncedSpace = async (
  space: Space,
  files: Readonly<Record<string, string>>,
  use: (synced: Synced) => Promise<void>,
  options: SyncedOptions = {},
): Promise<void> => {
  await makeSynced(space, files, options)
  const synced = await startSynced(space)
  try {
    await use(synced)
  } finally {
    await endSynced(synced)
  }
}
