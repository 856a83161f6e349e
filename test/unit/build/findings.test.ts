import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import { buildFindings, cacheFindings, lintFindings, textsOf } from '../../../src/domain/build/findings.ts'
import type { Code } from '../../../src/domain/diagnostic/codes.ts'
import { aboutOf, failureOf, shown } from '../../support/build/findings.ts'

test('a failed RUN is reported with its place, exit status and last lines', () => {
  const text = shown({
    message: 'failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 127',
    mark: [3, 3],
    more: { exitCode: 127, vertex: 'sha256:1' },
    about: { step: '[builder 3/3] RUN npm ci', lines: ['a\tb', '\u001b[31m/bin/sh: npm: not found\u001b[0m'] },
  })
  assert.equal(text.split('\n'), [
    'error DT4006: image api: [builder 3/3] RUN exited with status 127; its last output:',
    '    a    b',
    '    /bin/sh: npm: not found',
    '  api/Dockerfile:3:1',
    '    3 | RUN npm ci',
    '      | ^^^^^^^^^^',
    '  help: the command is not in the image: install it in an earlier step, or check PATH',
  ])
})

test('an instruction of several lines is underlined where it begins', () => {
  const dockerfile = 'FROM scratch\n  RUN a && \\\n    b\n'
  const [found] = buildFindings(
    failureOf({ message: 'process "x" did not complete successfully: exit code: 1', dockerfile, mark: [2, 3] }),
    aboutOf({ message: '', dockerfile }),
  )
  assert.equal(found?.at, { file: 'api/Dockerfile', line: 2, col: 3, endLine: 3, endCol: 6 })
})

const place = { file: 'compose.yaml', line: 3, col: 5, endLine: 3, endCol: 10 }

const others: ReadonlyArray<readonly [Code, RegExp, BuildFailure]> = [
  [
    'DT4001',
    /tcp:\/\/b:1234 cannot be reached: refused/,
    { _tag: 'Unreachable', address: 'tcp://b:1234', cause: 'refused', help: 'h' },
  ],
  [
    'DT4002',
    /stopped responding: nothing came from it for 5\.0s/,
    { _tag: 'Silent', address: 'b', afterMs: 5000, isAtStart: false },
  ],
  ['DT4002', /did not respond for 20\.0s/, { _tag: 'Silent', address: 'b', afterMs: 20_000, isAtStart: true }],
  ['DT4003', /broke: reset/, { _tag: 'Lost', address: 'b', cause: 'reset' }],
  [
    'DT4010',
    /src\/key cannot be sent: permission denied/,
    { _tag: 'Unusable', what: 'src/key', cause: 'permission denied' },
  ],
  ['DT4015', /secret npm/, { _tag: 'Unusable', what: 'secret npm', cause: 'no such file or directory' }],
  ['DT4023', /certificates/, { _tag: 'Unusable', what: 'certificates of the builder', cause: 'no ca.pem' }],
  ['DT4024', /--export-cache/, { _tag: 'Unusable', what: '--export-cache', cause: 'the Docker daemon cannot' }],
  [
    'DT4012',
    /docker login registry\.example\.com/,
    { _tag: 'NotPushed', name: 'registry.example.com/a', message: 'no basic auth credentials' },
  ],
  ['DT4016', /interrupted/, { _tag: 'Aborted' }],
]

for (const [code, form, failure] of others) {
  test(`${failure._tag} is ${code}, at the place of the build`, () => {
    const [found, ...rest] = buildFindings(failure, { image: 'api', at: place })
    assert.is(rest.length, 0)
    assert.is(found?.code, code)
    assert.equal(found?.at, place)
    assert.match(`${found?.message}\n${found?.help ?? ''}`, form)
  })
}

test('no line is guessed when a Dockerfile contains the same instruction twice', () => {
  const dockerfile = 'FROM a AS x\nRUN make\nFROM a AS y\nRUN make\n'
  const [found] = buildFindings(failureOf({ message: 'executor failed running [make]: exit code: 1', dockerfile }), {
    ...aboutOf({ message: '', dockerfile }),
    at: place,
    step: '[x 2/2] RUN make',
  })
  assert.equal(found?.at, place)
})

test('warnings name the file as users know it, the line, and a URL that explains them', () => {
  const source = { file: 'Dockerfile', text: 'from scratch\n', ranges: [{ start: 1, end: 1 }] }
  const lint = {
    _tag: 'Lint',
    text: "Casing: 'from' (line 1)",
    details: ['d'],
    url: 'https://example.com/r',
    source,
  } as const
  const dockerfile = { file: 'web/Dockerfile' }
  const [found] = lintFindings([lint], { image: 'web', dockerfile })
  assert.equal(found, {
    severity: 'warning',
    code: 'DT4040',
    message: "Casing: 'from'",
    help: 'see https://example.com/r',
    at: { file: 'web/Dockerfile', line: 1, col: 1, endLine: 1, endCol: 13 },
  })
  assert.is(textsOf([source], dockerfile).get('web/Dockerfile'), 'from scratch\n')
})

test('a missing cache is a warning', () => {
  const cause = 'failed to configure registry cache importer: registry.example.com/api:cache: not found'
  const [found] = cacheFindings([{ reference: 'registry.example.com/api:cache', cause }], { image: 'api', at: place })
  assert.is(found?.code, 'DT4044')
  assert.is(found?.message, 'image api: cannot import cache from registry.example.com/api:cache: it does not exist')
  assert.equal(found?.at, place)
})

test.run()
