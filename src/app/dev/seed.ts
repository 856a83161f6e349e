/** The first files of a development container: those of a local folder, before anything runs there. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { agentFolder } from '../../domain/dev/agent-pod.ts'
import type { LinkedProgram } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import type { DevSession } from './session.ts'

/** `local` is absolute. */
type SeededFolder = { readonly local: string; readonly remote: string }

/** `left`: files that could not be read here, or written there, with the reason. */
type Seeded = { readonly files: number; readonly bytes: number; readonly left: ReadonlyArray<string> }

/** Those of the image would be meant for its own Node. */
const plain = { NODE_OPTIONS: '', LD_LIBRARY_PATH: '', LD_PRELOAD: '' }

const textOf = (stream: LinkedProgram['stdout']): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    for (const event of ['end', 'close']) stream.once(event, () => resolve(text))
  })

const failed = (reason: string): E.Either<string, never> => E.left(reason)

/** Right: what was sent. Left: why it could not be, also when the link is lost meanwhile: it can be done again. */
export const seed =
  ({ seeds }: Pick<Ports, 'seeds'>, agent = agentFolder) =>
  (session: DevSession, { local, remote }: SeededFolder): TaskEither<string, Seeded> =>
  async () => {
    const found = await session.link('bulk')()
    if (E.isLeft(found)) return failed(found.left.reason)
    const command = [`${agent}/node`, `${agent}/unpack.cjs`, remote]
    const running = await found.right.link.run({ command, environment: plain })()
    if (E.isLeft(running)) return failed(running.left.reason)
    const { exit, stderr, stdin, stdout } = running.right
    const source = await seeds.pack(local)()
    if (E.isLeft(source)) {
      stdin.end()
      return source
    }
    const { packed, stream } = source.right
    const outputs = Promise.all([textOf(stdout), textOf(stderr)])
    stream.on('error', () => stdin.destroy())
    stream.pipe(stdin)
    const status = await exit()
    if (E.isLeft(status)) return failed(status.left.reason)
    const [notWritten, errors] = await outputs
    if (status.right !== 0) return failed(errors.trim())
    const { bytes, files, left } = packed()
    return E.right({ files, bytes, left: [...left, ...notWritten.split('\0').filter((one) => one !== '')] })
  }
