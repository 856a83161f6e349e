/** Where the Docker daemon is, out of variables and contexts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { DockerHost } from '../../../src/domain/build/address.ts'
import {
  type DockerHostConfig,
  dockerContextOf,
  readDockerHost,
  readSsh,
  showDockerHost,
} from '../../../src/domain/build/docker-host.ts'
import { findings, valueOf } from '../../../src/domain/checked.ts'

type Variables = Readonly<Record<string, string>>

const read = (variables: Variables, config?: DockerHostConfig, meta?: string) =>
  readDockerHost((name) => variables[name], config, meta)

const usual: DockerHost = { _tag: 'Unix', path: '/var/run/docker.sock' }
const tcp = (host: string, port: number, more: object = {}): DockerHost => ({
  _tag: 'Tcp',
  host,
  port,
  isTls: false,
  ...more,
})

const addresses: ReadonlyArray<readonly [text: string, host: DockerHost]> = [
  ['unix:///run/user/1000/docker.sock', { _tag: 'Unix', path: '/run/user/1000/docker.sock' }],
  ['unix://', usual],
  ['tcp://10.0.0.1:2375', tcp('10.0.0.1', 2375)],
  ['tcp://docker.example.com', tcp('docker.example.com', 2375)],
  ['tcp://docker:1234/', tcp('docker', 1234)],
  ['tcp://[::1]:2375', tcp('::1', 2375)],
  ['tcp://:2375', tcp('localhost', 2375)],
  ['localhost:2375', tcp('localhost', 2375)],
  ['ssh://me@host.example.com:2222', { _tag: 'Ssh', url: 'ssh://me@host.example.com:2222' }],
  ['ssh://host/run/user/1000/docker.sock', { _tag: 'Ssh', url: 'ssh://host/run/user/1000/docker.sock' }],
]

for (const [text, host] of addresses) {
  test(`DOCKER_HOST ${text}`, () => {
    const checked = read({ DOCKER_HOST: text })
    assert.equal(findings(checked), [])
    assert.equal(valueOf(checked), host)
  })
}

const mistakes: ReadonlyArray<readonly [text: string, says: RegExp]> = [
  ['unix://docker.sock', /^DOCKER_HOST: "unix:\/\/docker.sock" is not an absolute path$/],
  ['tcp://', /is not a Docker daemon address/],
  ['tcp://host:0', /is not a Docker daemon address/],
  ['tcp://host:65536', /is not a Docker daemon address/],
  ['tcp://host:2375/base', /is not a Docker daemon address/],
  ['tcp://[::zz]:2375', /is not a Docker daemon address/],
  ['tcp://a b:2375', /is not a Docker daemon address/],
  ['/var/run/docker.sock', /is not a Docker daemon address/],
  ['https://host', /has an unknown scheme/],
  ['fd://', /has an unknown scheme/],
  ['npipe:////./pipe/docker_engine', /is a named pipe, which cannot be used here/],
  ['ssh://', /is not a valid ssh address/],
  ['ssh://-oProxyCommand=id', /is not a valid ssh address/],
  ['ssh://-a@host', /is not a valid ssh address/],
  ['ssh://host/a b', /is not a valid ssh address/],
  ['ssh://host/$(id)', /is not a valid ssh address/],
  ['ssh://host;id', /is not a valid ssh address/],
  ['ssh://host\nx', /is not a valid ssh address/],
]

for (const [text, says] of mistakes) {
  test(`DOCKER_HOST ${JSON.stringify(text)} is refused`, () => {
    const checked = read({ DOCKER_HOST: text })
    assert.is(valueOf(checked), undefined)
    const [found] = findings(checked)
    assert.is(found?.code, 'DT4020')
    assert.match(found?.message ?? '', says)
  })
}

test('a password is refused, and not shown', () => {
  for (const text of ['ssh://me:p4ss@w0rd@host', 'tcp://me:p4ss@w0rd@host:2375', 'me:p4ss@w0rd@host:2375']) {
    const message = findings(read({ DOCKER_HOST: text }))[0]?.message ?? ''
    assert.match(message, /[*…]@host/)
    assert.not.match(message, /p4ss|w0rd/)
  }
})

test('whether TLS of the Docker daemon is used and verified, and on which port', () => {
  const of = (more: Variables) => valueOf(read({ DOCKER_HOST: 'tcp://h', ...more }))
  assert.equal(of({ DOCKER_TLS_VERIFY: '1' }), tcp('h', 2376, { isTls: true }))
  assert.equal(of({ DOCKER_TLS_VERIFY: '1', DOCKER_TLS: '1' }), tcp('h', 2376, { isTls: true }))
  assert.equal(of({ DOCKER_TLS: '1' }), tcp('h', 2376, { isTls: true, isUnverified: true }))
  assert.equal(of({ DOCKER_TLS_VERIFY: '' }), tcp('h', 2375))
})

test('without variables the default Docker daemon is used', () => {
  assert.equal(valueOf(read({})), usual)
  assert.equal(valueOf(read({ DOCKER_HOST: '', DOCKER_CONTEXT: '' }, { currentContext: '' })), usual)
  const [found] = findings(read({}, { isWindows: true }))
  assert.is(found?.code, 'DT4020')
  assert.match(found?.message ?? '', /named pipe/)
  assert.match(found?.help ?? '', /BUILDKIT_HOST/)
})

test('DOCKER_HOST takes precedence over DOCKER_CONTEXT, and that over the current context; "default" means none', () => {
  const of = (variables: Variables, currentContext?: string) =>
    dockerContextOf((name) => variables[name], currentContext === undefined ? {} : { currentContext })
  assert.is(of({ DOCKER_HOST: 'tcp://h', DOCKER_CONTEXT: 'a' }, 'b'), undefined)
  assert.is(of({ DOCKER_CONTEXT: 'a' }, 'b'), 'a')
  assert.is(of({}, 'b'), 'b')
  assert.is(of({ DOCKER_CONTEXT: 'default' }, 'b'), undefined)
  assert.is(of({}, 'default'), undefined)
  assert.is(of({}), undefined)
})

const meta = (docker: object): string => JSON.stringify({ Name: 'a', Metadata: {}, Endpoints: { docker } })

test('a Docker context gives the address', () => {
  const of = (docker: object, config: DockerHostConfig = {}) =>
    valueOf(read({ DOCKER_CONTEXT: 'a' }, config, meta(docker)))
  assert.equal(of({ Host: 'unix:///home/me/.colima/docker.sock', SkipTLSVerify: false }), {
    _tag: 'Unix',
    path: '/home/me/.colima/docker.sock',
  })
  assert.equal(of({ Host: 'tcp://h' }), tcp('h', 2375))
  assert.equal(of({ Host: 'tcp://h' }, { certificates: '/c' }), tcp('h', 2376, { isTls: true, certificates: '/c' }))
  assert.equal(of({ Host: 'tcp://h', SkipTLSVerify: true }), tcp('h', 2376, { isTls: true, isUnverified: true }))
  assert.equal(of({ Host: '' }), usual)
})

test('a missing or empty Docker context is reported with what refers to it', () => {
  const message = (variables: Variables, text?: string) =>
    findings(read(variables, { currentContext: 'b' }, text)).map(({ code, message: said }) => `${code} ${said}`)
  assert.equal(message({ DOCKER_CONTEXT: 'a' }), ['DT4020 DOCKER_CONTEXT: the Docker context "a" is not there'])
  assert.equal(message({}), ['DT4020 currentContext in config.json: the Docker context "b" is not there'])
  for (const text of ['', 'null', '{}', '[1]', meta({}), meta({ Host: 3 })]) {
    assert.equal(message({}, text), ['DT4020 currentContext in config.json: the Docker context "b" has no host'])
  }
  assert.equal(message({}, meta({ Host: 'npipe:////./pipe/x' })), [
    'DT4020 currentContext in config.json, the Docker context "b": "npipe:////./pipe/x" is a named pipe, which cannot be used here',
  ])
})

test('addresses are shown as written', () => {
  assert.is(showDockerHost(usual), 'unix:///var/run/docker.sock')
  assert.is(showDockerHost({ _tag: 'Tcp', host: 'h', port: 1, isTls: true }), 'tcp://h:1')
  assert.is(showDockerHost({ _tag: 'Tcp', host: '::1', port: 1, isTls: false }), 'tcp://[::1]:1')
  assert.is(showDockerHost({ _tag: 'Ssh', url: 'ssh://h' }), 'ssh://h')
})

test('an address for ssh has a user, a host and a port', () => {
  assert.equal(readSsh('ssh://me@h:22/run/d.sock'), { host: 'h', user: 'me', port: 22, path: '/run/d.sock' })
  assert.equal(readSsh('ssh://[::1]'), { host: '::1' })
  assert.is(readSsh('h'), undefined)
})

test.run()
