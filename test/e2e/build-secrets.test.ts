/** Secrets and accounts reach the step or the registry that they are for, and are seen nowhere else. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Bench,
  type BuildLab,
  direct,
  dockerConfig,
  dockerfile,
  loginOf,
  openBuildLab,
} from '../support/build/e2e.ts'
import { mustBeStored, storedImage } from '../support/build/image.ts'
import { commandLines, untilGone, untilRunning } from '../support/build/processes.ts'
import { searchPath } from '../support/build/programs.ts'
import { serveRepository } from '../support/http/git-backend.ts'
import { account, type RegistryServer } from '../support/registry/server.ts'

const fileSecret = 'file-secret-1d8f3c'
const variableSecret = 'variable-secret-77ab20'
const basic = Buffer.from(`${account.user}:${account.password}`).toString('base64')
const hidden = [fileSecret, variableSecret, account.password, basic]

/** Which of the secrets a text has. */
const leaksIn = (text: string): ReadonlyArray<string> => hidden.filter((secret) => text.includes(secret))

const ofFile = 'RUN --mount=type=secret,id=key,target=/key'
const ofVariable = 'RUN --mount=type=secret,id=token,env=TOKEN'

const test = suite('secrets of builds')

test('a step reads secrets of a file and of a variable', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench({ MY_TOKEN: variableSecret })
  write('key.txt', fileSecret)
  write(
    'Dockerfile',
    dockerfile(`${ofFile} md5sum </key >/sum-key`, `${ofVariable} printf %s "$TOKEN" | md5sum >/sum-token`),
  )
  const name = `${registry.address}/secrets/read:1`
  const secrets = ['--secret', 'id=key,src=key.txt', '--secret', 'id=token,env=MY_TOKEN']
  await must(direct(name, ...secrets))
  const image = await mustBeStored(name)
  const sumOf = (text: string): string => `${createHash('md5').update(text).digest('hex')}  -\n`
  assert.is(await image.file('sum-key'), sumOf(fileSecret))
  assert.is(await image.file('sum-token'), sumOf(variableSecret))
})

for (const [what, flag] of [
  ['file', 'id=key,src=nowhere.txt'],
  ['variable', 'id=key,env=NOT_SET_ANYWHERE'],
] as const) {
  test(`a missing ${what} secret is reported before anything is built`, async () => {
    const { bench } = await openBuildLab()
    const { fails, write } = bench({ BUILDKIT_HOST: 'tcp://127.0.0.1:1' })
    write('Dockerfile', dockerfile())
    await fails(3, /DT4015/, ['-f', 'Dockerfile', '--secret', flag])
  })
}

test('an optional secret may be missing', async () => {
  const { bench, registry } = await openBuildLab()
  const { must, write } = bench()
  write('Dockerfile', dockerfile('RUN --mount=type=secret,id=other test ! -e /run/secrets/other'))
  await must(direct(`${registry.address}/secrets/optional:1`))
})

const helper = `#!/bin/sh
read -r server
echo '{"ServerURL":"'"$server"'","Username":"${account.user}","Secret":"${account.password}"}'
`

/** A credential helper of that name on the path. */
const withHelper = (bench: Bench, { address }: RegistryServer) => {
  chmodSync(bench.write('../bin/docker-credential-test', helper), 0o755)
  return { ...dockerConfig(bench, 'helped', { credHelpers: { [address]: 'test' } }), helper: `${bench.folder}/../bin` }
}

test('credentials of the Docker configuration are used for a registry', async () => {
  const { bench, guarded } = await openBuildLab()
  const own = bench()
  own.write('Dockerfile', dockerfile())
  const name = `${guarded.address}/accounts/config:1`
  await own.must(direct(name), { env: dockerConfig(own, 'login', loginOf(guarded)) })
  assert.ok(await storedImage(name))
})

test('credentials of a credential helper are used for a registry', async () => {
  const { bench, guarded } = await openBuildLab()
  const own = bench()
  own.write('Dockerfile', dockerfile())
  const name = `${guarded.address}/accounts/helper:1`
  const { helper: bin, ...env } = withHelper(own, guarded)
  await own.must(direct(name), { env: { ...env, PATH: `${bin}:${searchPath}` } })
  assert.ok(await storedImage(name))
})

for (const [what, config] of [
  ['a wrong password', ({ guarded }: BuildLab) => loginOf(guarded, 'guessed')],
  ['no account', () => ({})],
] as const) {
  test(`${what} is reported as such, not as a failed build`, async () => {
    const lab = await openBuildLab()
    const own = lab.bench()
    own.write('Dockerfile', dockerfile())
    const name = `${lab.guarded.address}/accounts/denied:1`
    const { stderr } = await own.fails(4, /DT4012/, direct(name), { env: dockerConfig(own, 'login', config(lab)) })
    assert.match(stderr, lab.guarded.address)
    assert.not.match(stderr, 'guessed')
  })
}

for (const [what, config] of [
  ['is no JSON', '{"auths": '],
  ['names a helper that is not there', '{"credsStore": "nobody"}'],
] as const) {
  test(`a Docker configuration that ${what} is reported when credentials are needed`, async () => {
    const { bench, guarded, registry } = await openBuildLab()
    const { fails, folder, must, write } = bench()
    write('../broken/config.json', config)
    write('Dockerfile', dockerfile())
    const env = { DOCKER_CONFIG: `${folder}/../broken` }
    await must(direct(`${registry.address}/accounts/open:1`), { env })
    for (const [form, warning] of [
      ['plain', /warning DT4030/],
      ['tty', /warning DT4030/],
      ['json', /"warning","code":"DT4030"/],
    ] as const) {
      const flags = direct(`${guarded.address}/accounts/broken:1`, '--progress', form)
      const { stderr } = await fails(4, /DT4012/, flags, { env })
      assert.match(stderr, warning, form)
    }
  })
}

test('no secret is in a log, in a command line or in the image', async () => {
  const { bench, guarded } = await openBuildLab()
  const own = bench({ MY_TOKEN: variableSecret })
  const running = `sleep ${7000 + process.pid}.25`
  own.write('key.txt', fileSecret)
  own.write('.dockerignore', 'key.txt\n')
  own.write('Dockerfile', dockerfile('ARG PLAIN', `${ofFile} ${ofVariable.slice(4)} cat /key >/dev/null; ${running}`))
  const secrets = ['--secret', 'id=key,src=key.txt', '--secret', 'id=token,env=MY_TOKEN', '--build-arg', 'PLAIN=seen']
  const env = dockerConfig(own, 'login', loginOf(guarded))
  const name = `${guarded.address}/secrets/hidden:1`
  const waiting = own.start(direct(name, ...secrets, '--loglevel', 'debug', '--progress', 'plain'), { env })
  try {
    await untilRunning(running)
    assert.equal(leaksIn(commandLines().join('\n')), [])
  } finally {
    waiting.child.kill('SIGINT')
  }
  const stopped = await waiting.ended
  await untilGone(running)
  own.write('Dockerfile', dockerfile('ARG PLAIN', `${ofFile} ${ofVariable.slice(4)} cat /key >/dev/null`))
  for (const progress of ['plain', 'json']) {
    const built = await own.must(
      direct(name, ...secrets, '--no-cache', '--loglevel', 'debug', '--progress', progress),
      { env },
    )
    assert.equal(leaksIn(`${built.stdout}${built.stderr}${stopped.stdout}${stopped.stderr}`), [])
  }
  const { config, manifest } = await mustBeStored(name)
  assert.match(config, 'PLAIN=seen')
  assert.equal(leaksIn(`${config}${JSON.stringify(manifest)}`), [])
})

test('no secret is in the output of a failed step or push', async () => {
  const { bench, guarded } = await openBuildLab()
  const own = bench({ MY_TOKEN: variableSecret })
  own.write('key.txt', fileSecret)
  own.write('Dockerfile', dockerfile(`${ofFile} ${ofVariable.slice(4)} wc -c /key; exit 3`))
  const secrets = ['--secret', 'id=key,src=key.txt', '--secret', 'id=token,env=MY_TOKEN', '--loglevel', 'debug']
  const failed = await own.fails(1, /DT4006/, direct(`${guarded.address}/secrets/failed:1`, ...secrets), {
    env: dockerConfig(own, 'login', loginOf(guarded)),
  })
  own.write('Dockerfile', dockerfile())
  const denied = await own.fails(4, /DT4012/, direct(`${guarded.address}/secrets/denied:1`, ...secrets), {
    env: dockerConfig(own, 'wrong', loginOf(guarded, `${account.password}-not`)),
  })
  assert.equal(leaksIn(`${failed.stdout}${failed.stderr}${denied.stdout}${denied.stderr}`), [])
})

/** A repository that asks for `account`, with one commit of the folder; `use` gets its host. */
const withPrivateRepository = async (folder: string, use: (host: string) => Promise<void>): Promise<void> => {
  const git = (...args: ReadonlyArray<string>): void =>
    void execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  git('clone', '--quiet', '--bare', '.', '../served/app.git')
  const server = createServer((request, response) => {
    if (request.headers.authorization?.replace(/^basic /i, '') === basic)
      serveRepository(`${folder}/../served`, request, response)
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="app"' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  try {
    await use(`127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('the user and password of a Git context reach its repository, and are seen nowhere else', async () => {
  const { bench, registry } = await openBuildLab()
  const [own, source] = [bench(), bench()]
  source.write('Dockerfile', dockerfile('COPY . /app'))
  source.write('page.html', 'private')
  await withPrivateRepository(source.folder, async (host) => {
    const name = `${registry.address}/secrets/git:1`
    const build = (user: string): void =>
      void own.write('compose.yaml', `services: {web: {image: "${name}", build: "http://${user}@${host}/app.git"}}\n`)
    build(`${account.user}:guessed`)
    const denied = await own.fails(1, /DT4\d\d\d/, [])
    build(`${account.user}:${account.password}`)
    const built = await own.must(['--loglevel', 'debug', '--progress', 'plain'])
    const image = await mustBeStored(name)
    assert.is(await image.file('app/page.html'), 'private')
    assert.equal(
      leaksIn(`${built.stdout}${built.stderr}${denied.stderr}${image.config}${JSON.stringify(image.manifest)}`),
      [],
    )
  })
})

test.run()
