/** The SSH agent, as steps of a build reach it. */

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CallStatus } from '../../../src/adapters/buildkit/rpc/call.ts'
import { sshService } from '../../../src/adapters/buildkit/ssh.ts'
import { agentMessages } from '../../../src/adapters/buildkit/ssh-frames.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { BytesMessageSchema, CheckAgentRequestSchema } from '../../support/build/gen/buildkit_pb.ts'
import { callService } from '../../support/build/session-call.ts'

/** `asked`: types and bodies of the messages that came. */
type Context = { folder: string; socket: string; server: Server; asked: Array<string>; connections: Set<Socket> }

const frame = (type: number, body = ''): Buffer => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.writeUInt32BE(1 + body.length, 0)
  bytes[4] = type
  bytes.write(body, 5, 'latin1')
  return bytes
}
const shown = (message: Uint8Array): string =>
  `${message[4]} ${Buffer.from(message.subarray(5)).toString('latin1')}`.trim()

const listType = 11
const signType = 13

/** Answers each question with the next type and its body, in two pieces. */
const serve = async ({ asked, connections }: Context, socket: Socket): Promise<void> => {
  connections.add(socket)
  socket.on('error', () => {})
  for await (const message of agentMessages(socket)) {
    asked.push(shown(message))
    if (shown(message).endsWith('hang up')) return void socket.destroy()
    if (shown(message).endsWith('be silent')) continue
    const answer = frame((message[4] ?? 0) + 1, Buffer.from(message.subarray(5)).toString('latin1'))
    socket.write(answer.subarray(0, 3))
    socket.write(answer.subarray(3))
  }
}

const test = suite<Context>('ssh')
test.before.each(async (world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'ssh-'))
  world.socket = join(world.folder, 'agent')
  world.asked = []
  world.connections = new Set()
  world.server = createServer((socket) => {
    serve(world, socket).catch(() => socket.destroy())
  })
  world.server.listen(world.socket)
  await once(world.server, 'listening')
})
test.after.each(async ({ connections, folder, server }) => {
  for (const socket of connections) socket.destroy()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true })
})

const wrapped = (data: Uint8Array): Uint8Array => toBinary(BytesMessageSchema, create(BytesMessageSchema, { data }))
const unwrapped = (message: Uint8Array): Uint8Array => fromBinary(BytesMessageSchema, message).data

type Env = Readonly<Record<string, string | undefined>>

/** What the builder is told fails the build, too, unless nobody has offered such an agent. */
const check = async (ssh: Solve['ssh'], env: Env, id = ''): Promise<CallStatus | undefined> => {
  const request = toBinary(CheckAgentRequestSchema, create(CheckAgentRequestSchema, { id }))
  const failures: Array<string> = []
  const service = sshService({ ssh }, { clock: systemClock, env }, (failure) => {
    if (failure._tag === 'Unusable') failures.push(`${failure.what}: ${failure.cause}`)
  })
  const { status } = await callService(service, '/moby.sshforward.v1.SSH/CheckAgent', [request])
  assert.equal(failures, status?.code === 9 ? [status.message] : [])
  return status
}

const usual: Solve['ssh'] = [{ id: 'default', paths: [] }]

type Forwarded = { readonly answers: ReadonlyArray<string>; readonly status: CallStatus | undefined }

const forward = async (
  { socket }: Context,
  chunks: Iterable<Uint8Array>,
  given: Parameters<typeof callService>[3] = {},
): Promise<Forwarded> => {
  const service = sshService({ ssh: usual }, { clock: systemClock, env: { SSH_AUTH_SOCK: socket } })
  const messages = [...chunks].map(wrapped)
  const { answers, status } = await callService(service, '/moby.sshforward.v1.SSH/ForwardAgent', messages, given)
  return { answers: answers.map((answer) => shown(unwrapped(answer))), status }
}

test('the agent of SSH_AUTH_SOCK or a named one is used', async ({ socket }) => {
  assert.is(await check(usual, { SSH_AUTH_SOCK: socket }), undefined)
  assert.is(await check(usual, { SSH_AUTH_SOCK: socket }, 'default'), undefined)
  assert.is(await check([{ id: 'own', paths: [socket] }], {}, 'own'), undefined)
})

test('a missing SSH agent is reported with the reason', async ({ folder, socket }) => {
  const file = join(folder, 'id_ed25519')
  writeFileSync(file, 'the key itself')
  const words = async (ssh: Solve['ssh'], env: Env, id?: string): Promise<string> => {
    const { code, message } = (await check(ssh, env, id)) ?? { code: 0, message: '' }
    assert.not.match(message, 'the key itself')
    return `${code} ${message}`
  }
  assert.match(await words(usual, {}), '9 SSH agent "default": no SSH agent is running')
  assert.match(await words(usual, { SSH_AUTH_SOCK: join(folder, 'gone') }), 'there is no such file')
  assert.match(await words([{ id: 'default', paths: [file] }], {}), 'it is not a private key of a supported kind')
  assert.match(await words([{ id: 'default', paths: [folder] }], {}), 'neither the socket of an SSH agent nor a key')
  assert.match(await words([{ id: 'default', paths: [socket, socket] }], {}), 'stands alone')
  assert.match(await words(usual, { SSH_AUTH_SOCK: socket }, 'other'), '12 no SSH agent "other"')
})

test('requests are answered in order, however the bytes are split', async (world) => {
  const bytes = Buffer.concat([frame(listType), frame(signType, 'sign this'), frame(listType, 'again')])
  const wanted = ['12', '14 sign this', '12 again']
  for (const size of [1, 4, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    assert.equal(await forward(world, chunks), { answers: wanted, status: undefined })
  }
})

test('a step can neither add, nor remove, nor lock keys', async (world) => {
  const types = [1, 9, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27]
  const { answers } = await forward(world, [...types.map((type) => frame(type, 'x')), frame(listType)])
  assert.equal(answers, [...types.map(() => '5'), '12'])
  assert.equal(world.asked, ['11'])
})

test('a message that is too long ends the call', async (world) => {
  const { answers, status } = await forward(world, [Buffer.from([255, 255, 255, 255, listType])])
  assert.equal([answers, status?.code], [[], 14])
})

test('an agent that closes the connection ends the call', async (world) => {
  const { answers, status } = await forward(world, [frame(listType), frame(signType, 'hang up')])
  assert.equal([answers, status?.code], [['12'], 14])
})

test('when the builder disconnects, a pending agent request ends', async (world) => {
  const gone = new AbortController()
  const onAnswer = (): void => {
    setImmediate(() => gone.abort())
  }
  const { status } = await forward(world, [frame(listType), frame(signType, 'be silent')], {
    signal: gone.signal,
    onAnswer,
  })
  assert.is(status?.code, 14)
})

test('a missing SSH agent is reported when it is used', async ({ folder }) => {
  const service = sshService({ ssh: usual }, { clock: systemClock, env: { SSH_AUTH_SOCK: join(folder, 'gone') } })
  const { answers, status } = await callService(service, '/moby.sshforward.v1.SSH/ForwardAgent', [
    wrapped(frame(listType)),
  ])
  assert.equal([answers, status?.code], [[], 9])
})

test.run()
