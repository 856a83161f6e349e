/** Runs the command in this process, on files in memory. */
import { PassThrough } from 'node:stream'
import { type CliProcess, main } from '../../../src/cli/main.ts'
import { toStream } from '../../../src/cli/terminal.ts'
import { type Entry, text } from '../../memory/files.ts'
import { type MemoryWorld, memoryPorts } from '../cluster/memory-ports.ts'

type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string }
type CommandOptions = {
  readonly files?: Readonly<Record<string, string | Entry>>
  readonly env?: Readonly<Record<string, string>>
  readonly disk?: Map<string, Entry>
  readonly isTerminal?: { readonly stdout: boolean; readonly stderr: boolean }
  /** Options of the ports in memory. */
  readonly memory?: Partial<MemoryWorld>
}

const collect = (stream: PassThrough): (() => string) => {
  const chunks: Array<Buffer> = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

export const diskOf = (files: Readonly<Record<string, string | Entry>>): Map<string, Entry> =>
  new Map(Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? text(content) : content]))

export const worldOf = (given: CommandOptions = {}) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const [out, err] = [collect(stdout), collect(stderr)]
  const disk = given.disk ?? diskOf(given.files ?? {})
  const ports = memoryPorts({ disk, write: (said) => stderr.write(said), ...given.memory })
  const world: CliProcess = {
    env: { ...given.env },
    stdout: toStream(stdout),
    stderr: toStream(stderr),
    cwd: '/home/me/shop',
    separator: ':',
    version: '1.2.3',
    program: ['devtool'],
    isTerminal: given.isTerminal ?? { stdout: false, stderr: false },
    ports: () => Promise.resolve(ports),
  }
  return { world, out, err, stdout, stderr, ports }
}

export const devtool = async (argv: ReadonlyArray<string>, given: CommandOptions = {}): Promise<CommandResult> => {
  const { err, out, world } = worldOf(given)
  const status = await main(argv, world)
  return { status, stdout: out(), stderr: err() }
}
