/** Builds that cannot work: each says where, in the file at hand, and prints no data. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { storedImage } from '../support/build/image.ts'

type Case = {
  readonly what: string
  /** REGISTRY stands for one that is there. */
  readonly lines: ReadonlyArray<string>
  readonly status: number
  readonly code: string
  /** Of the Dockerfile; none when no line is to blame. */
  readonly line?: number
  readonly says?: RegExp
  readonly args?: ReadonlyArray<string>
}

const cases: ReadonlyArray<Case> = [
  {
    what: 'an unknown instruction',
    lines: ['FROM busybox', 'RUM true'],
    status: 3,
    code: 'DT4005',
    line: 2,
    says: /RUM/,
  },
  {
    what: 'a step that fails',
    lines: ['FROM busybox', 'RUN true', 'RUN echo "out of luck"; exit 7'],
    status: 1,
    code: 'DT4006',
    line: 3,
    says: /out of luck[^]*\b7\b|\b7\b[^]*out of luck/,
  },
  {
    what: 'a file that is not there',
    lines: ['FROM busybox', 'COPY page.htm /'],
    status: 3,
    code: 'DT4009',
    line: 2,
    says: /page\.htm/,
  },
  {
    what: 'an unknown stage',
    lines: ['FROM busybox AS small'],
    status: 3,
    code: 'DT4007',
    args: ['--target', 'smal'],
    says: /smal/,
  },
  {
    what: 'a base image that is not there',
    lines: ['FROM REGISTRY/nobody/has:this'],
    status: 1,
    code: 'DT4008',
    line: 1,
    says: /nobody\/has/,
  },
  {
    what: 'a frontend that cannot be fetched',
    lines: ['# syntax=REGISTRY/nobody/has:frontend', 'FROM busybox'],
    status: 1,
    code: 'DT4008',
    line: 1,
    says: /nobody\/has/,
  },
  {
    what: 'a secret that the step needs',
    lines: ['FROM busybox', 'RUN --mount=type=secret,id=token,required=true true'],
    status: 3,
    code: 'DT4015',
    line: 2,
    says: /token/,
  },
]

const test = suite('builds that fail')

for (const { args = [], code, line, lines, says, status, what } of cases) {
  test(`${what}: ${code}`, async () => {
    const { bench, registry } = await openBuildLab()
    const { fails, write } = bench()
    write('Dockerfile', lines.join('\n').replaceAll('REGISTRY', registry.address))
    write('page.html', '')
    const name = `${registry.address}/failures/${code.toLowerCase()}:1`
    const { stderr, stdout } = await fails(status, new RegExp(code), direct(name, ...args))
    if (line !== undefined) assert.match(stderr, new RegExp(`Dockerfile:${line}\\b`))
    if (says !== undefined) assert.match(stderr, says)
    assert.is(stdout, '')
    assert.is(await storedImage(name), undefined)
  })
}

test('no Dockerfile: DT4028', async () => {
  const { bench } = await openBuildLab()
  await bench().fails(3, /DT4028/, ['-f', 'Dockerfile'])
})

test('with -o json the failure is JSON on standard error', async () => {
  const { bench, registry } = await openBuildLab()
  const { run, write } = bench()
  write('Dockerfile', 'FROM busybox\nRUM true\n')
  const { status, stderr, stdout } = await run(
    direct(`${registry.address}/failures/json:1`, '-o', 'json', '--progress', 'quiet'),
  )
  assert.is(status, 3)
  assert.is(stdout, '')
  const [first = ''] = stderr.trim().split('\n')
  const said: unknown = JSON.parse(first)
  assert.ok(typeof said === 'object' && said !== null && 'code' in said && said.code === 'DT4005', stderr)
})

test('a lint warning does not fail the build', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('MAINTAINER somebody'))
  const { stderr } = await must(direct(`${registry.address}/failures/advice:1`))
  assert.match(stderr, /warning DT4040/)
  assert.match(stderr, /Dockerfile:2\b/)
})

test('a failure is printed before lint warnings', async () => {
  const { bench, registry } = await openBuildLab()
  const { fails, write } = bench()
  write('Dockerfile', dockerfile('MAINTAINER somebody', 'RUN exit 7'))
  await fails(1, /error DT\d+[^]*warning DT4040/, direct(`${registry.address}/failures/both:1`))
})

test('control sequences in the output of a step are not printed', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile(String.raw`RUN printf 'clear \033[2J\033]0;title\007 done\n'`))
  const { stderr } = await must(direct(`${registry.address}/failures/control:1`, '--no-cache', '--progress', 'plain'))
  assert.match(stderr, /clear .* done/)
  assert.not(
    stderr.includes('\u001B[2J') || stderr.includes('\u001B]0;') || stderr.includes('\u0007'),
    'control characters',
  )
})

for (const [what, host] of [
  ['no scheme that is known', 'ftp://127.0.0.1:1'],
  ['no port', 'tcp://127.0.0.1'],
] as const) {
  test(`the address of the builder has ${what}: DT4020`, async () => {
    const { bench } = await openBuildLab()
    const { fails, write } = bench({ BUILDKIT_HOST: host })
    write('Dockerfile', dockerfile())
    await fails(2, /DT4020/, ['-f', 'Dockerfile'])
  })
}

test.run()
