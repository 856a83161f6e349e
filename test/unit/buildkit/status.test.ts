import type { MessageInitShape } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statusReader } from '../../../src/adapters/buildkit/status.ts'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import { encode } from '../../support/build/control-fake.ts'
import { StatusResponseSchema } from '../../support/build/gen/buildkit_pb.ts'

type Status = MessageInitShape<typeof StatusResponseSchema>

const read = (reader: ReturnType<typeof statusReader>, status: Status): ReadonlyArray<BuildEvent> => {
  const events = reader.read(encode(StatusResponseSchema, status))
  return E.isRight(events) ? events.right : []
}

const log = (vertex: string, data: Uint8Array, stream = 1n) => ({ vertex, data, stream })

test('a step is reported with fractional times and without missing fields', () => {
  const started = { seconds: 1_700_000_000n, nanos: 123_456_000 }
  const completed = { seconds: 1_700_000_001n, nanos: 0 }
  const events = read(statusReader(), {
    vertexes: [
      { digest: 'a', name: 'one' },
      { digest: 'b', name: 'two', cached: true, started, completed, error: 'no' },
    ],
  })
  assert.equal(events, [
    { _tag: 'Vertex', digest: 'a', name: 'one', isCached: false },
    {
      ...{ _tag: 'Vertex', digest: 'b', name: 'two', isCached: true, error: 'no' },
      ...{ startedMs: 1_700_000_000_123.456, endedMs: 1_700_000_001_000 },
    },
  ])
})

test('URLs in names and errors have no user info and no query', () => {
  const reader = statusReader()
  const url = 'https://me:word@example.com/a.git'
  const vertex = {
    digest: 'a',
    name: `load git source ${url}?token=abc#main`,
    error: `cannot fetch ${url}?token=abc: no`,
  }
  const events = read(reader, {
    vertexes: [vertex],
    statuses: [{ vertex: 'a', id: `${url}?token=abc`, name: `resolve ${url}?token=abc` }],
  })
  assert.is(reader.failed()?.error, 'cannot fetch https://example.com/a.git no')
  assert.equal(
    events.map((event) => ('name' in event ? event.name : '')),
    ['load git source https://example.com/a.git#main', 'resolve https://example.com/a.git'],
  )
  assert.not.match(JSON.stringify(events), /word|abc/)
})

test('a transfer is reported in numbers', () => {
  const status = { id: 'sha256:1', vertex: 'a', name: 'layer', current: 5_000_000_000n, total: 6_000_000_000n }
  assert.equal(read(statusReader(), { statuses: [status] }), [
    { _tag: 'Transfer', vertex: 'a', id: 'sha256:1', name: 'layer', current: 5e9, total: 6e9 },
  ])
})

test('a split character is joined, whatever arrives in between', () => {
  const reader = statusReader()
  const euro = Buffer.from('€')
  const first = read(reader, { logs: [log('a', euro.subarray(0, 1)), log('a', Buffer.from('err'), 2n)] })
  const second = read(reader, { logs: [log('b', euro.subarray(0, 2)), log('a', euro.subarray(1))] })
  const third = read(reader, { logs: [log('b', euro.subarray(2))] })
  const told = [...first, ...second, ...third].map((event) =>
    event._tag === 'Log' ? `${event.vertex}${event.isError ? '!' : ''} ${event.text}` : '',
  )
  assert.equal(told, ['a! err', 'a €', 'b €'])
  assert.equal(reader.rest(), [])
})

test('an incomplete character at the end is reported at the end', () => {
  const reader = statusReader()
  assert.equal(read(reader, { logs: [log('a', Buffer.from('€').subarray(0, 2))] }), [])
  assert.equal(reader.rest(), [{ _tag: 'Log', vertex: 'a', isError: false, text: '\ufffd' }])
})

test('a warning has its lines, and adjacent lines are joined', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text)
  const range = (line: number, end?: number) => ({
    start: { line },
    ...(end === undefined ? {} : { end: { line: end } }),
  })
  const events = read(statusReader(), {
    warnings: [
      {
        ...{ vertex: 'a', short: bytes('Rule: bad'), detail: [bytes('more')], url: 'https://example.com/rule' },
        info: { filename: 'Dockerfile', data: bytes('FROM a\nRUN b \\\n c\n') },
        ranges: [range(7), range(3, 3), range(2, 2), {}],
      },
      { vertex: 'a', short: bytes('plain') },
    ],
  })
  const ranges = [
    { start: 2, end: 3 },
    { start: 7, end: 7 },
  ]
  assert.equal(events, [
    {
      ...{ _tag: 'Lint', text: 'Rule: bad', details: ['more'], url: 'https://example.com/rule' },
      source: { file: 'Dockerfile', text: 'FROM a\nRUN b \\\n c\n', ranges },
    },
    { _tag: 'Lint', text: 'plain', details: [], url: '' },
  ])
})

test('the last failed step is known; cancelled steps have not failed', () => {
  const reader = statusReader()
  assert.is(reader.failed(), undefined)
  read(reader, { vertexes: [{ digest: 'a', error: 'exit code: 1' }] })
  read(reader, { vertexes: [{ digest: 'b', error: 'rpc error: code = Canceled desc = context canceled' }] })
  read(reader, { vertexes: [{ digest: 'c', error: 'context canceled' }] })
  assert.equal(reader.failed(), { vertex: 'a', error: 'exit code: 1' })
})

test('invalid messages produce no events', () => {
  assert.ok(E.isLeft(statusReader().read(Uint8Array.of(0x0a, 0xff))))
  assert.equal(statusReader().read(new Uint8Array()), E.right([]))
})

test.run()
