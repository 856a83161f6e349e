/** Secrets of a build, as steps ask for them. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CallStatus } from '../../../src/adapters/buildkit/rpc/call.ts'
import { secretsService } from '../../../src/adapters/buildkit/secrets.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { SecretSource, Solve } from '../../../src/domain/build/solve.ts'
import { GetSecretRequestSchema, GetSecretResponseSchema } from '../../support/build/gen/buildkit_pb.ts'
import { callService } from '../../support/build/session-call.ts'

const test = suite<{ folder: string }>('secrets')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true }))

type SecretReply = { readonly data: Buffer | undefined; readonly status: CallStatus | undefined }

const get = async (secrets: Solve['secrets'], id: string): Promise<SecretReply> => {
  const request = toBinary(GetSecretRequestSchema, create(GetSecretRequestSchema, { id }))
  const method = '/moby.buildkit.secrets.v1.Secrets/GetSecret'
  const failures: Array<string> = []
  const service = secretsService({ secrets }, systemClock, (failure) => {
    if (failure._tag === 'Unusable') failures.push(`${failure.what}: ${failure.cause}`)
  })
  const { answers, status } = await callService(service, method, [request])
  // One that nobody has may be left out by the step.
  assert.equal(failures, status === undefined || status.code === 5 ? [] : [status.message])
  const [answer] = answers
  return {
    data: answer === undefined ? undefined : Buffer.from(fromBinary(GetSecretResponseSchema, answer).data),
    status,
  }
}

const value = (text: string): SecretSource => ({ _tag: 'Value', value: text })
const limit = 500 * 1024

test('values and files are passed unchanged', async ({ folder }) => {
  const file = join(folder, 'token')
  const bytes = Buffer.from([0, 255, 10, 13, 0])
  writeFileSync(file, bytes)
  const secrets: Solve['secrets'] = [
    { id: 'a', source: value('pä$$\n') },
    { id: 'b', source: { _tag: 'File', file } },
    { id: 'empty', source: value('') },
  ]
  assert.equal(await get(secrets, 'a'), { data: Buffer.from('pä$$\n'), status: undefined })
  assert.equal(await get(secrets, 'b'), { data: bytes, status: undefined })
  assert.equal(await get(secrets, 'empty'), { data: Buffer.alloc(0), status: undefined })
})

test('a file is read when it is asked for, each time', async ({ folder }) => {
  const file = join(folder, 'token')
  const secrets: Solve['secrets'] = [{ id: 'a', source: { _tag: 'File', file } }]
  for (const text of ['first', 'second']) {
    writeFileSync(file, text)
    assert.is(String((await get(secrets, 'a')).data), text)
  }
})

test('an unknown secret has the status of an optional one', async () => {
  const { status } = await get([{ id: 'a', source: value('hidden') }], 'b\u001b[2J')
  assert.equal(status, { code: 5, message: 'secret "b\\x1b[2J": not found' })
})

test('a file may have up to 500 KiB', async ({ folder }) => {
  const file = join(folder, 'token')
  for (const [size, isFine] of [
    [limit, true],
    [limit + 1, false],
    [limit * 3, false],
  ] as const) {
    writeFileSync(file, Buffer.alloc(size, 'x'))
    for (const source of [{ _tag: 'File', file } as const, value('x'.repeat(size))]) {
      const { data, status } = await get([{ id: 'a', source }], 'a')
      assert.is(data?.length, isFine ? size : undefined)
      assert.is(status?.message.includes('larger than 500 KiB') ?? false, !isFine)
    }
  }
})

test('a file that never ends is cut off at the limit', async () => {
  const { status } = await get([{ id: 'a', source: { _tag: 'File', file: '/dev/zero' } }], 'a')
  assert.match(status?.message ?? '', 'larger than 500 KiB')
})

test('an unreadable file is an error, not a missing secret', async ({ folder }) => {
  for (const [file, words] of [
    [join(folder, 'missing'), 'there is no such file'],
    [folder, 'it is a folder'],
  ] as const) {
    const { data, status } = await get([{ id: 'a', source: { _tag: 'File', file } }], 'a')
    assert.is(data, undefined)
    assert.is.not(status?.code, 5)
    assert.match(status?.message ?? '', words)
    assert.match(status?.message ?? '', file)
  }
})

const piped = (folder: string): string => {
  const file = join(folder, 'pipe')
  execFileSync('mkfifo', [file])
  return file
}
const getSecretMethod = '/moby.buildkit.secrets.v1.Secrets/GetSecret'
const requestOf = (id: string): Uint8Array => toBinary(GetSecretRequestSchema, create(GetSecretRequestSchema, { id }))

test('a pipe is read to its end, also with a late writer', async ({ folder }) => {
  const file = piped(folder)
  const got = get([{ id: 'a', source: { _tag: 'File', file } }], 'a')
  const writer = spawn('/bin/sh', ['-c', 'exec > "$0"; printf one; printf two', file])
  await once(writer, 'close')
  assert.equal(await got, { data: Buffer.from('onetwo'), status: undefined })
})

test('a pipe may have up to 500 KiB', async ({ folder }) => {
  const file = piped(folder)
  const got = get([{ id: 'a', source: { _tag: 'File', file } }], 'a')
  const writer = spawn('/bin/sh', ['-c', 'exec head -c 600000 /dev/zero > "$0"', file])
  assert.match((await got).status?.message ?? '', 'larger than 500 KiB')
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'close')
})

test('a pipe without a writer times out', async ({ folder }) => {
  const failures: Array<string> = []
  const secrets: Solve['secrets'] = [{ id: 'a', source: { _tag: 'File', file: piped(folder) } }]
  const service = secretsService({ secrets }, systemClock, (failure) => failures.push(failure._tag), 50)
  const { status } = await callService(service, getSecretMethod, [requestOf('a')])
  assert.match(status?.message ?? '', 'nothing was read from it within 0.05 s')
  assert.equal(failures, ['Unusable'])
})

test('an interrupt ends the wait for a pipe without an error about the secret', async ({ folder }) => {
  const failures: Array<string> = []
  const stopped = new AbortController()
  const secrets: Solve['secrets'] = [{ id: 'a', source: { _tag: 'File', file: piped(folder) } }]
  const service = secretsService({ secrets }, systemClock, (failure) => failures.push(failure._tag))
  const done = callService(service, getSecretMethod, [requestOf('a')], { signal: stopped.signal })
  setImmediate(() => stopped.abort())
  assert.is((await done).status?.code, 1)
  assert.equal(failures, [])
})

test.run()
