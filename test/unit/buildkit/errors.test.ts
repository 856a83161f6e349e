import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Failed, failedCall } from '../../../src/adapters/buildkit/errors.ts'
import { encode } from '../../support/build/control-fake.ts'
import { StatusSchema } from '../../support/build/gen/buildkit_pb.ts'

type Recorded = { readonly code: number; readonly message: string; readonly details: string }

/** What BuildKit 0.33 answered; stack traces are left out. */
const recorded = (name: string): Failed => {
  const file = new URL(`fixtures/${name}.json`, import.meta.url)
  const { code, details, message }: Recorded = JSON.parse(readFileSync(file, 'utf8'))
  return failedCall({ _tag: 'Status', code, message, details: Buffer.from(details, 'base64') }, undefined)
}

const linesOf = ({ sources }: Failed): ReadonlyArray<string> =>
  sources.flatMap(({ file, ranges, text }) =>
    ranges.map(
      ({ end, start }) =>
        `${file}:${start}-${end} ${text
          .split('\n')
          .slice(start - 1, end)
          .join('|')}`,
    ),
  )

const cases: ReadonlyArray<
  readonly [name: string, message: RegExp, lines: ReadonlyArray<string>, more?: Partial<Failed>]
> = [
  [
    'failed-run',
    /^process "\/bin\/sh -c echo out; echo err >&2; exit 7" did not complete successfully: exit code: 7$/,
    ['Dockerfile:3-3 RUN echo out; echo err >&2; exit 7'],
    { exitCode: 7, vertex: 'sha256:6fc15d3298236de997bd932eb5c2e7953c0dd43678a93fe055d49669181d257d' },
  ],
  ['failed-run-long', /exit code: 1$/, ['Dockerfile:2-4 RUN echo one && \\|  echo two && \\|  false'], { exitCode: 1 }],
  [
    'parse-error',
    /^dockerfile parse error on line 2: unknown instruction: FOO \(did you mean FROM\?\)$/,
    ['Dockerfile:2-2 FOO bar'],
  ],
  ['missing-copy', /"\/nothere": not found$/, ['Dockerfile:2-2 COPY nothere /a']],
  [
    'missing-secret',
    /^secret tok: not found$/,
    ['Dockerfile:2-2 RUN --mount=type=secret,id=tok,required cat /run/secrets/tok'],
  ],
  ['missing-base', /nothere:1: not found$/, ['Dockerfile:1-1 FROM localhost:5000/nothere:1']],
  [
    'syntax-offline',
    /^failed to resolve source metadata for docker\.io\/docker\/dockerfile:1: .*no such host$/,
    ['Dockerfile:1-1 # syntax=docker/dockerfile:1'],
  ],
  ['unknown-target', /^target stage "two" could not be found$/, []],
  ['push-refused', /^failed to push 127\.0\.0\.1:1\/x:1: .*connection refused$/, []],
]

for (const [name, message, lines, more = {}] of cases) {
  test(`a recorded response of a builder: ${name}`, () => {
    const failed = recorded(name)
    assert.match(failed.message, message)
    assert.equal(linesOf(failed), lines)
    assert.is(failed.code, 2)
    assert.equal({ ...failed, ...more }, failed)
    assert.is(failed.exitCode, more.exitCode)
  })
}

const plain = (message: string) => ({ _tag: 'Status', code: 2, message }) as const

test("only the prefixes of BuildKit's layers are removed from errors", () => {
  const says = (message: string): string => failedCall(plain(message), undefined).message
  const nested =
    'failed to solve: rpc error: code = Unknown desc = failed to solve with frontend dockerfile.v0: it failed: x'
  assert.is(says(nested), 'it failed: x')
  assert.is(says('the step says: failed to solve: y'), 'the step says: failed to solve: y')
  assert.is(says('rpc error: code = NotFound desc = '), 'rpc error: code = NotFound desc =')
})

test('errors of old daemons without details have the status of the text and the failed step', () => {
  const step = { vertex: 'sha256:1', error: 'executor failed running [/bin/sh -c exit 9]: exit code: 9' }
  const message = `rpc error: code = Unknown desc = ${step.error}`
  assert.equal(failedCall(plain(message), step), {
    ...{ _tag: 'Failed', message: step.error, code: 2, sources: [], exitCode: 9, vertex: 'sha256:1' },
  })
  assert.is(failedCall(plain('something else'), step).vertex, undefined)
})

test('unreadable error details are ignored', () => {
  const json = (text: string) => Buffer.from(text)
  const source = 'github.com/moby/buildkit/errdefs.Source+json'
  const details = encode(StatusSchema, {
    code: 2,
    message: 'no',
    details: [
      { typeUrl: source, value: json('{') },
      { typeUrl: source, value: json('[1, null]') },
      { typeUrl: source, value: json('{"info":{"data":5},"ranges":[{},{"start":{"line":"x"}}]}') },
      { typeUrl: 'github.com/moby/buildkit/errdefs.Vertex+json', value: json('{"digest":3}') },
      { typeUrl: 'something.else', value: json('{}') },
    ],
  })
  const failed = failedCall({ ...plain('no'), details }, undefined)
  assert.equal(failed, { _tag: 'Failed', message: 'no', code: 2, sources: [] })
  const broken = failedCall({ ...plain('no'), details: Uint8Array.of(0xff) }, undefined)
  assert.equal(broken, { _tag: 'Failed', message: 'no', code: 2, sources: [] })
})

test.run()
