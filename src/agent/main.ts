/** The agent of a development container. */
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { gathering } from '../adapters/ssh/channel.ts'
import { agentFolder, keysFolder } from '../domain/dev/agent-pod.ts'
import { collecting } from './collect.ts'
import { type ContainerFacts, environmentOf, shellOf } from './environment.ts'
import { serving } from './server.ts'

const isAccessible = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Throws for a user that the image does not have. */
const userName = (): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

const {
  DEVTOOL_AGENT_FOLDER: folder = agentFolder,
  DEVTOOL_AGENT_KEYS: keys = keysFolder,
  DEVTOOL_AGENT_PORT: port = '2222',
  DEVTOOL_AGENT_FIRST: isFirst,
} = process.env

const container: ContainerFacts = {
  environment: process.env,
  isProgram: (path) => isAccessible(path, constants.X_OK),
  isWritable: (path) => isAccessible(path, constants.W_OK),
  userName: userName(),
  userId: process.getuid?.() ?? 0,
  folder,
}

const sockets = join(folder, 'run')
mkdirSync(sockets, { recursive: true })
// Nothing of the previous container's keepers is alive.
if (isFirst === 'yes') for (const name of readdirSync(sockets)) rmSync(join(sockets, name), { force: true })

const serve = serving(
  {
    environment: environmentOf(container),
    folder: process.cwd(),
    shell: shellOf(container),
    keepers: {
      node: process.execPath,
      program: join(folder, 'keeper.cjs'),
      pty: join(folder, 'pty.node'),
      folder: sockets,
    },
  },
  { host: readFileSync(join(keys, 'host_key')), client: readFileSync(join(keys, 'client_key.pub')) },
)
if (process.argv.includes('--stdio')) {
  const connection = Duplex.from({ readable: process.stdin, writable: gathering(process.stdout) })
  // Its client has left once either direction ends, even one that never said who it is.
  for (const event of ['end', 'finish']) connection.once(event, () => connection.destroy())
  // After all that ends with the connection.
  connection.on('error', () => {}).once('close', () => setImmediate(() => process.exit(0)))
  serve(collecting(connection))
} else {
  const server = createServer({ noDelay: true }, (socket) => serve(collecting(gathering(socket))))
  server.on('error', (failure) => {
    console.error(`devtool: ${failure.message}`)
    process.exit(1)
  })
  server.listen(Number(port), '127.0.0.1')
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
