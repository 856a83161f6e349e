/** Runs what `npm run` would run, without a shell, so that it works the same on every platform. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Ran = { readonly status: number; readonly output: string }
export type RunOptions = {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Also shows the output as it comes. */
  readonly live?: boolean
}

type Manifest = {
  readonly bin?: string | Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

const packages: Readonly<Record<string, string>> = {
  biome: '@biomejs/biome',
  buf: '@bufbuild/buf',
  knip: 'knip',
  oxlint: 'oxlint',
  'protoc-gen-es': '@bufbuild/protoc-gen-es',
  'protoc-gen-ts_proto': 'ts-proto',
  tsc: 'typescript',
  tsx: 'tsx',
}

export const root = join(import.meta.dirname, '..')
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The JavaScript file of a command from an installed package. */
export const binPath = (command: string): string => {
  const folder = join(root, 'node_modules', packages[command] ?? command)
  const { bin } = readManifest(folder)
  const path = typeof bin === 'string' ? bin : bin?.[command]
  if (path === undefined) throw new Error(`no package brings the command ${command}`)
  return join(folder, path)
}

/** `lint` → the arguments for Node that run its line in package.json. */
export const scriptArgs = (script: string): ReadonlyArray<string> => {
  const line = readManifest(root).scripts?.[script]
  if (line === undefined) throw new Error(`package.json has no script ${script}`)
  const [command = '', ...args] = line.split(' ')
  return [binPath(command), ...args]
}

/** Runs Node with these arguments; a child killed by a signal has status 1. */
export const runNode = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (options.live === true) process.stdout.write(text)
      })
    }
    child.on('error', reject)
    child.on('close', (status, signal) => {
      resolve({ status: status ?? 1, output: signal === null ? output : `${output}\nended by ${signal}\n` })
    })
  })
