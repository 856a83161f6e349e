/** The only file that picks adapters. */
import type { Readable } from 'node:stream'
import type { Ports } from '../ports/ports.ts'

export const wire = async (cwd: string, stdin: () => Readable): Promise<Ports> => {
  const { nodeFiles } = await import('../adapters/node-fs/files.ts')
  const { nodeWriter } = await import('../adapters/node-fs/writer.ts')
  return { files: nodeFiles(cwd, stdin), writer: nodeWriter(cwd) }
}
