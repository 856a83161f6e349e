/** What builders say, and what is made of it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Code } from '../../../src/domain/diagnostic/codes.ts'
import { base, type FindingCase, shown } from '../../support/build/findings.ts'

const resolve = 'failed to resolve source metadata for'
const dial = 'failed to do request: Head "https://HOST/v2/": dial tcp:'
const push = 'failed to solve: failed to push registry.example.com:5000/shop/api:1:'
const checksum = 'failed to compute cache key: failed to calculate checksum of ref a::b:'

/** What BuildKit 0.33 says, and what it means. */
const cases: ReadonlyArray<readonly [Code, RegExp, FindingCase]> = [
  [
    'DT4005',
    /: unknown instruction: COPPY \(did you mean COPY\?\)\n {2}api\/Dockerfile:2:1/,
    {
      message: 'failed to solve: dockerfile parse error on line 2: unknown instruction: COPPY (did you mean COPY?)',
      mark: [2, 2],
    },
  ],
  [
    'DT4005',
    /unterminated heredoc\n {2}api\/Dockerfile:3:1/,
    { message: 'failed to solve: unterminated heredoc', mark: [3, 3] },
  ],
  ['DT4005', /the Dockerfile has no instructions/, { message: 'failed to solve: the Dockerfile cannot be empty' }],
  [
    'DT4007',
    /there is no stage "biulder"\n {2}help: did you mean "builder"\?/,
    { message: 'failed to solve: target stage "biulder" could not be found (did you mean builder?)' },
  ],
  ['DT4007', /help: the stages are builder/, { message: 'failed to solve: target stage "runtime" could not be found' }],
  ['DT4007', /no stage "7"/, { message: 'failed to solve: invalid stage index 7' }],
  [
    'DT4007',
    /no stage "biulder"/,
    {
      message: `failed to solve: biulder: ${resolve} docker.io/library/biulder:latest: ${dial} lookup HOST: no such host (did you mean builder?)`,
      dockerfile: `${base}FROM scratch\nCOPY --from=biulder /busybox /\n`,
      mark: [5, 5],
    },
  ],
  [
    'DT4008',
    /the image registry\.example\.com\/base:1 cannot be pulled: no such host HOST\n/,
    {
      message: `registry.example.com/base:1: ${resolve} registry.example.com/base:1: ${dial} lookup HOST on 10.0.0.1:53: no such host`,
      mark: [1, 1],
    },
  ],
  [
    'DT4008',
    /401 Unauthorized[\s\S]*docker login registry\.example\.com/,
    {
      message: `${resolve} registry.example.com/base:1: unexpected status from HEAD request to http://x/y: 401 Unauthorized`,
      mark: [1, 1],
    },
  ],
  [
    'DT4008',
    /the image node:99 cannot be pulled: it is not in the registry/,
    { message: `${resolve} docker.io/library/node:99: docker.io/library/node:99: not found` },
  ],
  [
    'DT4008',
    /frontend docker\.io\/docker\/dockerfile:1 of the syntax line[\s\S]*BUILDKIT_SYNTAX/,
    {
      message: `failed to solve: ${resolve} docker.io/docker/dockerfile:1: ${dial} lookup HOST: no such host`,
      dockerfile: '# syntax=docker/dockerfile:1\nFROM scratch\n',
      mark: [1, 1],
    },
  ],
  [
    'DT4009',
    /"pakage\.json" is not in the build context[\s\S]*did you mean "package\.json"/,
    { message: `${checksum} "/pakage.json": not found`, mark: [2, 2], about: { files: ['package.json'] } },
  ],
  ['DT4009', /\.dockerignore/, { message: `${checksum} "/dist": not found`, mark: [2, 2] }],
  [
    'DT4009',
    /\/nothere is not in "builder"/,
    {
      message: `${checksum} "/nothere": not found`,
      dockerfile: 'FROM a\nCOPY --from=builder /nothere /\n',
      mark: [2, 2],
    },
  ],
  [
    'DT4009',
    /\/nothere is not in "builder"/,
    {
      message: `${checksum} "/nothere": not found`,
      dockerfile: 'FROM a\nRUN --mount=type=bind,from=builder,source=/nothere,target=/x make\n',
      mark: [2, 2],
    },
  ],
  [
    'DT4012',
    /registry\.example\.com:5000\/shop\/api:1 was built but not pushed: 401 Unauthorized[\s\S]*docker login registry\.example\.com:5000/,
    { message: `${push} unexpected status from HEAD request to http://x/y: 401 Unauthorized` },
  ],
  ['DT4012', /denied/, { message: `${push} server message: denied: requested access to the resource is denied` }],
  ['DT4013', /connection refused/, { message: `${push} ${dial} 10.0.0.1:5000: connect: connection refused` }],
  ['DT4013', /does not use TLS/, { message: `${push} http: server gave HTTP response to HTTPS client` }],
  [
    'DT4011',
    /lower case/,
    { message: 'failed to push Shop/X: invalid reference format: repository name (X) must be lowercase' },
  ],
  [
    'DT4014',
    /buildctl prune/,
    { message: 'failed to solve: write /var/lib/x: no space left on device', more: { vertex: 'a' } },
  ],
  [
    'DT4015',
    /secret "npm"[\s\S]*--secret id=npm,src=FILE/,
    { message: 'failed to solve: secret npm: not found', mark: [3, 3], more: { vertex: 'a' } },
  ],
  ['DT4015', /SSH_AUTH_SOCK/, { message: 'failed to solve: unset ssh forward key default', more: { vertex: 'a' } }],
  [
    'DT4017',
    /: http:\/\/x\/y cannot be downloaded: invalid response status 404/,
    {
      message: 'failed to solve: failed to load cache key: invalid response status 404',
      about: { step: '[1/1] ADD http://x/y /' },
    },
  ],
  [
    'DT4017',
    /https:\/\/x\/y cannot be downloaded: no such host x/,
    { message: 'failed to load cache key: Get "https://x/y": dial tcp: lookup x on 10.0.0.1:53: no such host' },
  ],
  [
    'DT4024',
    /security\.insecure is not allowed/,
    { message: 'failed to solve: failed to load LLB: security.insecure is not allowed' },
  ],
  [
    'DT4028',
    /there is no Dockerfile\.prod/,
    { message: 'failed to solve: failed to read dockerfile: open Dockerfile.prod: no such file or directory' },
  ],
  [
    'DT4006',
    /ran out of memory/,
    { message: 'process "make" did not complete successfully: cannot allocate memory', mark: [3, 3] },
  ],
  [
    'DT4006',
    /ran out of memory/,
    { message: 'process "make" did not complete successfully: exit code: 137', mark: [3, 3] },
  ],
  [
    'DT4006',
    /FROM scratch has no shell/,
    {
      message: 'process "x" did not complete successfully: exit code: 1',
      about: { lines: ['runc run failed: exec: "/bin/sh": stat /bin/sh: no such file or directory'] },
    },
  ],
  ['DT4004', /something new/, { message: 'failed to solve: something new', more: { vertex: 'a' } }],
]

for (const [index, [code, form, one]] of cases.entries()) {
  test(`${code}: message ${index + 1}`, () => {
    const text = shown(one)
    assert.match(text, `error ${code}: image api: `)
    assert.match(text, form)
  })
}

/** What the engine of Docker 20.10 says: no details, only text. */
const old: ReadonlyArray<readonly [Code, RegExp, FindingCase]> = [
  [
    'DT4005',
    /unknown instruction: FOO\n {2}api\/Dockerfile:2:1/,
    {
      message:
        'failed to solve with frontend dockerfile.v0: failed to create LLB definition: dockerfile parse error line 2: unknown instruction: FOO',
    },
  ],
  [
    'DT4006',
    /exited with status 7[\s\S]*api\/Dockerfile:3:1\n {4}3 \| RUN npm ci/,
    {
      message: 'rpc error: code = Unknown desc = executor failed running [/bin/sh -c npm ci]: exit code: 7',
      about: { step: '[builder 3/3] RUN npm ci' },
    },
  ],
  [
    'DT4007',
    /no stage "nosuch"/,
    {
      message:
        'failed to solve with frontend dockerfile.v0: failed to create LLB definition: target stage nosuch could not be found',
    },
  ],
  [
    'DT4009',
    /"pakage\.json" is not in the build context/,
    { message: 'failed to compute cache key: "/pakage.json" not found: not found' },
  ],
  [
    'DT4008',
    /a base image cannot be pulled: pull access denied/,
    {
      message:
        'failed to solve with frontend dockerfile.v0: failed to create LLB definition: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    },
  ],
  [
    'DT4008',
    /the image registry\.example\.com\/base:1 cannot be pulled: 401 Unauthorized\n {2}api\/Dockerfile:1:1/,
    {
      message:
        'failed to create LLB definition: pulling from host registry.example.com failed with status code [manifests 1]: 401 Unauthorized',
      dockerfile: 'FROM registry.example.com/base:1\n',
      about: { step: '[internal] load metadata for registry.example.com/base:1' },
    },
  ],
  [
    'DT4005',
    /Syntax error - can't find = in "B"/,
    {
      message: 'failed to create LLB definition: Syntax error - can\'t find = in "B". Must be of the form: name=value',
    },
  ],
  [
    'DT4017',
    /http:\/\/x\/y cannot be downloaded: invalid response status 404\n {2}api\/Dockerfile:2:1/,
    {
      message: 'failed to load cache key: invalid response status 404',
      dockerfile: 'FROM scratch\nADD http://x/y /\n',
      about: { step: 'http://x/y' },
    },
  ],
  [
    'DT4007',
    /no stage "biulder"\n {2}api\/Dockerfile:5:1/,
    {
      message: `failed to load cache key: ${dial} lookup HOST on 10.0.0.1:53: no such host`,
      dockerfile: `${base}FROM scratch\nCOPY --from=biulder /busybox /\n`,
      about: { step: 'FROM docker.io/library/biulder:latest' },
    },
  ],
  [
    'DT4008',
    /the frontend docker\.io\/docker\/dockerfile:1 of the syntax line/,
    {
      message: `${dial} lookup HOST on 10.0.0.1:53: no such host`,
      dockerfile: '# syntax=docker/dockerfile:1\nFROM scratch\n',
      about: { step: 'resolve image config for docker.io/docker/dockerfile:1' },
    },
  ],
  [
    'DT4028',
    /there is no Dockerfile\n/,
    {
      message:
        'failed to solve with frontend dockerfile.v0: failed to read dockerfile: open /var/lib/docker/tmp/buildkit-mount1/Dockerfile: no such file or directory',
    },
  ],
]

for (const [code, form, one] of old) {
  test(`old daemon: ${one.message.slice(-40)}`, () => {
    const text = shown(one)
    assert.match(text, `error ${code}: `)
    assert.match(text, form)
  })
}

test.run()
