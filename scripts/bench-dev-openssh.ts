/**
 * OpenSSH's server in a container that has it at /usr/sbin/sshd, and its client on this machine, which reaches it through
 * a port-forward of devtool.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, type Readable, type Writable } from 'node:stream'
import { newPair } from '../src/adapters/ssh/keys.ts'
import { agentFolder } from '../src/domain/dev/agent-pod.ts'
import type { Link } from '../src/ports/link.ts'
import { run, untilText } from '../test/support/dev/agent.ts'
import { type DevWorld, rightOf } from '../test/support/e2e/dev-pod.ts'
import { freePort } from '../test/support/process/ports.ts'
import { until } from '../test/support/process/until.ts'

type Program = { readonly stdin: Writable; readonly stdout: Readable }

export type OpenSsh = {
  readonly run: (command: string) => Program
  /** Forwards a port of this machine, which is returned. */
  readonly forward: (remote: number) => Promise<number>
  readonly end: () => void
}

const serverPort = 2223
const folder = `${agentFolder}/openssh`
/** What devtool's own connections use. */
const cipher = 'aes128-gcm@openssh.com'
const { signal } = new AbortController()

type Relay = { readonly port: number; readonly close: () => void }

/** Its links to the pod are those that `up` has as well: one for each connection. */
const relayTo = async ({ cluster, namespace }: DevWorld, name: string): Promise<Relay> => {
  const serve = async (socket: Socket): Promise<void> => {
    const { bytes } = await rightOf(cluster.pods.dial({ namespace, name }, serverPort, signal))
    pipeline(socket, bytes, socket, () => {})
  }
  const relay = createServer({ noDelay: true }, (socket) => void serve(socket))
  const port = await freePort()
  relay.listen(port, '127.0.0.1')
  await once(relay, 'listening')
  return { port, close: () => relay.close() }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const startServer = async (link: Link): Promise<string> => {
  const [host, client] = [newPair(), newPair()]
  const stored = async (name: string, text: string): Promise<void> => {
    const { status } = await run(link, { command: `umask 077; mkdir -p ${folder}; cat > ${folder}/${name}` }, text)
    if (status !== 0) throw new Error(`${name} cannot be written in the container`)
  }
  await stored('host_key', host.private)
  await stored('authorized_keys', `${client.public}\n`)
  const options = [
    `HostKey=${folder}/host_key`,
    `AuthorizedKeysFile=${folder}/authorized_keys`,
    'ListenAddress=127.0.0.1',
    'StrictModes=no',
    'PidFile=none',
  ].flatMap((option) => ['-o', option])
  const command = ['/usr/sbin/sshd', '-D', '-e', '-f', '/dev/null', '-p', String(serverPort), ...options]
  const { stderr } = await rightOf(link.run({ command }))
  await untilText(stderr, 'Server listening')
  stderr.resume()
  return client.private
}

/** `undefined` if the image has no OpenSSH. */
export const openSshIn = async (world: DevWorld, link: Link, pod: string): Promise<OpenSsh | undefined> => {
  const { status } = await run(link, { command: 'test -x /usr/sbin/sshd' })
  if (status !== 0) return undefined
  const home = mkdtempSync(join(tmpdir(), 'bench-openssh-'))
  const key = join(home, 'key')
  writeFileSync(key, await startServer(link), { mode: 0o600 })
  const user = (await run(link, { command: 'id -un' })).stdout.trim()
  const relay = await relayTo(world, pod)
  const started: Array<ChildProcess> = []
  const ssh = (...words: ReadonlyArray<string>) => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes', 'LogLevel=ERROR']
    const given = [
      '-F',
      '/dev/null',
      '-c',
      cipher,
      '-i',
      key,
      '-p',
      String(relay.port),
      ...options.flatMap((o) => ['-o', o]),
    ]
    const child = spawn('ssh', [...given, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
    started.push(child)
    return child
  }
  const target = `${user}@127.0.0.1`
  return {
    run: (command) => ssh(target, command),
    forward: async (remote) => {
      const local = await freePort()
      ssh('-N', '-L', `127.0.0.1:${local}:127.0.0.1:${remote}`, target)
      await until('the port of OpenSSH', () => isOpen(local))
      return local
    },
    end: () => {
      for (const child of started) child.kill()
      relay.close()
      rmSync(home, { recursive: true })
    },
  }
}
