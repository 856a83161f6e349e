/** Every place of a Compose file and of an object where a credential was found once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutVariables } from '../../../src/domain/doctor/manifest.ts'
import { maskArguments, maskCommand, redactor, withoutValues } from '../../../src/domain/doctor/redact.ts'

const compose = `services:
  api:
    build: https://canary@example.com/api.git
    command: ["serve", "-pCanary1Canary1", "-v"]
    volumes: ["https://user:canary@example.com/x"]
    post_start:
      - command: Canary1Hook --now
    pre_stop:
      - command: ["Canary1Hook"]
  cache:
    entrypoint: ["cache"]
    command: ["canary", "--quiet"]
    build:
      context: https://example.com/a.tar?sig=canary
    healthcheck:
      test: ["CMD", "mysqladmin", "-pCanary1Canary1"]
  web:
    entrypoint: cache
    command: canary --quiet
    healthcheck:
      http: {path: "/up?token=canary", headers: {X-Key: canary}}
    build:
      dockerfile_inline: |
        FROM alpine
        ENV KEY=canary
    storage_opt:
      registry_password: |
        several
        canary
models:
  small: {model: ai/small, runtime_flags: [--key, canary]}
secrets:
  key: {file: key.txt}
`

test('no credential of a Compose file is in the report', () => {
  const shown = withoutVariables('compose.yaml', compose) ?? ''
  assert.not.match(shown, /canary/i)
  const kept = [
    'https://example.com/api.git',
    'https://example.com/a.tar',
    '- serve',
    '--now',
    '--quiet',
    '/up?***',
    'model: ai/small',
  ]
  for (const text of kept) assert.ok(shown.includes(text), `${text} in\n${shown}`)
})

test('a list of secrets stays as it is', () => {
  const text = 'secrets:\n  key:\n    file: key.txt\n'
  assert.is(redactor([])(withoutVariables('compose.yaml', text) ?? ''), text)
})

test('no credential of an object is in the report', () => {
  const container = {
    name: 'web',
    command: ['Canary1Canary1'],
    args: ['canary', '-pCanary1Canary1', '--quiet'],
    workingDir: 'https://canary@example.com/?sig=canary',
    livenessProbe: { exec: { command: ['mysqladmin', '-pCanary1Canary1', '-u', 'canary'] } },
    readinessProbe: { httpGet: { path: '/up?token=canary', httpHeaders: [{ name: 'X-Key', value: 'canary' }] } },
  }
  assert.equal(withoutValues({ containers: [container] }), {
    containers: [
      {
        name: 'web',
        command: ['***'],
        args: ['***', '--quiet'],
        workingDir: 'https://example.com/',
        livenessProbe: { exec: { command: ['mysqladmin', '***', '-u', '***'] } },
        readinessProbe: { httpGet: { path: '/up?***', httpHeaders: [{ name: 'X-Key', value: '***' }] } },
      },
    ],
  })
})

test('the first word of a command is kept if it looks like a program', () => {
  const programs = ['node', 'python3.12', 'pg_ctl', './docker-entrypoint.sh', '/usr/local/bin/run', 'CMD-SHELL']
  for (const name of programs) assert.equal(maskCommand([name]), [name])
  for (const value of ['Hunter2', 'hunter2hunter2', 'a1b2c3', 'p@ss', '/srv/Hunter2']) {
    assert.equal(maskCommand([value, 'x']), ['***'])
    assert.equal(maskArguments([value, '--no-cache', `--key=${value}`, '-P']), ['***', '--no-cache', '--key', '-P'])
  }
})

test('a user of a URL without a password may be a token', () => {
  assert.is(redactor([])('cloning https://abcdef@example.com/a'), 'cloning https://***@example.com/a')
})

test.run()
