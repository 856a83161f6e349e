/** Where the Docker daemon is, out of the files that Docker itself writes. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findDockerHost } from '../../../src/adapters/docker/host.ts'
import { findings, valueOf } from '../../../src/domain/checked.ts'

/** `write`: a file of the Docker configuration below the home folder. */
const withHome = (use: (home: string, write: (path: string, text: string) => void) => void): void => {
  const home = mkdtempSync(join(tmpdir(), 'devtool-home-'))
  try {
    use(home, (path, text) => {
      const file = join(home, '.docker', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    })
  } finally {
    rmSync(home, { recursive: true })
  }
}

const id = createHash('sha256').update('far').digest('hex')
const metaFile = `contexts/meta/${id}/meta.json`
const meta = JSON.stringify({ Name: 'far', Endpoints: { docker: { Host: 'tcp://far.example.com' } } })
const far = { _tag: 'Tcp', host: 'far.example.com' }

test('without a configuration the default socket is used', () =>
  withHome((HOME, write) => {
    const usual = { _tag: 'Unix', path: '/var/run/docker.sock' }
    assert.equal(valueOf(findDockerHost({ HOME })), usual)
    write('config.json', '{"auths":{}')
    assert.equal(valueOf(findDockerHost({ HOME })), usual)
    write('config.json', '{"currentContext":"default"}')
    assert.equal(valueOf(findDockerHost({ HOME })), usual)
  }))

test('the current context is used, with its certificates', () =>
  withHome((HOME, write) => {
    write('config.json', '{"currentContext":"far"}')
    write(metaFile, meta)
    assert.equal(valueOf(findDockerHost({ HOME })), { ...far, port: 2375, isTls: false })
    write(`contexts/tls/${id}/docker/ca.pem`, '')
    const certificates = join(HOME, '.docker', 'contexts', 'tls', id, 'docker')
    assert.equal(valueOf(findDockerHost({ HOME })), { ...far, port: 2376, isTls: true, certificates })
    const elsewhere = { HOME: '/nowhere', DOCKER_CONFIG: join(HOME, '.docker') }
    assert.equal(valueOf(findDockerHost(elsewhere)), { ...far, port: 2376, isTls: true, certificates })
    assert.equal(valueOf(findDockerHost({ HOME, DOCKER_CONTEXT: 'default' }))?._tag, 'Unix')
    assert.equal(valueOf(findDockerHost({ HOME, DOCKER_HOST: 'unix:///s' })), { _tag: 'Unix', path: '/s' })
  }))

test('a context without a file is an error that names it', () =>
  withHome((HOME) => {
    const [found] = findings(findDockerHost({ HOME, DOCKER_CONTEXT: '../../x' }))
    assert.is(found?.code, 'DT4020')
    assert.is(found?.message, 'DOCKER_CONTEXT: the Docker context "../../x" is not there')
  }))

test.run()
