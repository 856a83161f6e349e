/** A process that writes the manifests of a Compose file again and again: `folder-writer.ts FOLDER COMPOSE COUNT`. */
import * as E from 'fp-ts/lib/Either.js'
import { nodePlainFolders } from '../../../src/adapters/node-fs/plain-folders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { fileManifests } from '../../../src/app/project/write-files.ts'
import { translateFiles } from '../compose/project.ts'

const [, , folder = '', compose = '', count = '1'] = process.argv
const { plan } = translateFiles({ 'compose.yaml': compose })
const write = fileManifests({ plainFolders: nodePlainFolders('.', systemClock) })
if (plan === undefined) throw new Error(compose)
for (let n = 0; n < Number(count); n += 1) {
  const done = await write(folder, plan, false)()
  if (E.isLeft(done)) {
    process.stderr.write(`${done.left.map(({ message }) => message).join('\n')}\n`)
    process.exitCode = 1
  }
}
