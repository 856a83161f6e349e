/** `build --check`: what is said of Dockerfiles, and that nothing is built. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Lint } from '../../../src/domain/build/event.ts'
import { buildWorld } from '../../support/build/world.ts'

const text = 'FROM scratch\nCMD echo\n'
const files = { Dockerfile: text }
const lint: Lint = {
  _tag: 'Lint',
  text: 'JSONArgsRecommended: use JSON',
  details: [],
  url: 'https://docs.docker.com/go/rule/',
  source: { file: 'Dockerfile', text, ranges: [{ start: 2, end: 2 }] },
}
const compose = `name: shop
services:
  base: {build: {context: ., secrets: [token]}}
  web: {build: {context: ., additional_contexts: {base: service:base}}, depends_on: [base], profiles: [debug]}
secrets: {token: {environment: NOT_SET}}
`

test('a Dockerfile without warnings exits with 0, and nothing is built', async () => {
  const world = buildWorld({ files })
  const { status, stderr, stdout } = await world.run('build', '-f', 'Dockerfile', '--check')
  assert.equal([status, stdout, world.solves().length, world.open()], [0, '', 0, 0], stderr)
  assert.match(stderr, 'no warnings')
})

test('a warning is shown at its place, and exits with 1', async () => {
  const world = buildWorld({ files, builder: { lints: [lint] } })
  const { status, stderr, stdout } = await world.run('build', '-f', 'Dockerfile', '--check')
  assert.equal([status, stdout, world.solves().length], [1, '', 0])
  assert.match(stderr, 'warning DT4040: JSONArgsRecommended: use JSON\n  Dockerfile:2:1\n    2 | CMD echo\n')
  assert.match(stderr, 'error DT4035: the check found 1 warning\n')
})

test('-o json prints the findings as data', async () => {
  const world = buildWorld({ files, builder: { lints: [lint, lint] } })
  const { status, stderr, stdout } = await world.run('build', '-f', 'Dockerfile', '--check', '-o', 'json')
  assert.is(status, 1)
  assert.not.match(stderr, 'DT40')
  const { diagnostics } = JSON.parse(stdout)
  assert.equal(
    diagnostics.map(({ at, code }: { readonly at?: { readonly line: number }; readonly code: string }) => [
      code,
      at?.line,
    ]),
    [
      ['DT4040', 2],
      ['DT4035', undefined],
    ],
  )
})

test('the Dockerfiles of a file are checked once each, without their secrets and the images they need', async () => {
  const world = buildWorld({ files: { ...files, 'compose.yaml': compose }, builder: { lints: [lint] } })
  const { status, stderr } = await world.run('build', '--check', 'web', 'base')
  assert.equal([status, world.solves().length], [1, 0], stderr)
  assert.is(stderr.match(/DT4040/g)?.length, 1)
  assert.match(stderr, /done +base: 1 warning[^]*done +web: 1 warning/)
})

test('with --strict the warnings themselves are errors', async () => {
  const world = buildWorld({ files, builder: { lints: [lint] } })
  const { status, stderr } = await world.run('build', '-f', 'Dockerfile', '--check', '--strict')
  assert.is(status, 3, stderr)
  assert.not.match(stderr, 'DT4035')
})

test('flags that only a build uses are reported to have no effect', async () => {
  const world = buildWorld({ files })
  const { status, stderr } = await world.run('build', '-f', 'Dockerfile', '--check', '--load', '--tag', 'web:1')
  assert.is(status, 0)
  assert.match(stderr, '--tag, --load: no effect with --check')
})

for (const [argv, status, says] of [
  [['-f', 'Nope'], 3, 'DT4028: there is no Nope'],
  [['nope'], 2, 'DT4026'],
  [['-f', 'Dockerfile', '--network', 'mine'], 2, 'DT2001'],
] as const) {
  test(`build --check ${argv.join(' ')} ends with status ${status}, before a builder is asked`, async () => {
    const world = buildWorld({ files: { ...files, 'compose.yaml': 'services: {web: {image: nginx}}\n' } })
    const ran = await world.run('build', '--check', ...argv)
    assert.is(ran.status, status, ran.stderr)
    assert.match(ran.stderr, says)
  })
}

test('an unreachable builder exits with 8', async () => {
  const unreachable = { _tag: 'Unreachable', address: 'tcp://kit:1', cause: 'connection refused' } as const
  const world = buildWorld({ files, builder: { unreachable } })
  const { status, stderr } = await world.run('build', '-f', 'Dockerfile', '--check')
  assert.is(status, 8, stderr)
})

test.run()
