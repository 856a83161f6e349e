/** Registries of the program docker-registry: open, with an account, with TLS, and with tokens. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../src/adapters/http/client.ts'
import { httpRegistry } from '../../src/adapters/registry/client.ts'
import { dockerCredentials } from '../../src/adapters/registry/credentials.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Credentials } from '../../src/ports/credentials.ts'
import { registryCases } from '../contract/registry-suite.ts'
import { makeCertificates } from '../support/build/certificates.ts'
import { putImage, startTokenRegistry } from '../support/registry/process.ts'
import { account, type RegistryServer, startRegistry } from '../support/registry/server.ts'

type Login = { readonly credentials: Credentials; readonly end: () => void }

/** As `docker login` would have left it. */
const login = (address: string, password: string): Login => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-docker-'))
  const auth = Buffer.from(`${account.user}:${password}`).toString('base64')
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [address]: { auth } } }))
  return {
    credentials: dockerCredentials({ clock: systemClock, env: { DOCKER_CONFIG: folder }, home: '/' }),
    end: () => rmSync(folder, { recursive: true }),
  }
}

const kinds: Readonly<Record<string, () => Promise<RegistryServer>>> = {
  open: () => startRegistry(),
  account: () => startRegistry({ isGuarded: true }),
  tokens: () => startTokenRegistry({ isModern: true }),
  'tokens by Basic': () => startTokenRegistry({ isModern: false }),
}

for (const [kind, start] of Object.entries(kinds)) {
  const cases = registryCases(async () => {
    const server = await start()
    const { credentials, end } = login(server.address, account.password)
    const digest = await putImage(server, 'team/app', 'first')
    return {
      registry: httpRegistry({ clock: systemClock, client: httpClient({}, systemClock), credentials }),
      name: `${server.address}/team/app`,
      digest,
      end: () => {
        end()
        server.end()
      },
    }
  })
  for (const [title, run] of cases) test(`docker-registry, ${kind}: ${title}`, run)
}

for (const kind of ['account', 'tokens', 'tokens by Basic']) {
  test(`docker-registry, ${kind}: a wrong password and a missing one have different errors`, async () => {
    const server = await kinds[kind]?.()
    if (server === undefined) throw new Error(`no registry ${kind}`)
    const { credentials, end } = login(server.address, 'not-the-password')
    try {
      const { signal } = new AbortController()
      const name = `${server.address}/team/app:first`
      const wrong = await httpRegistry({
        clock: systemClock,
        client: httpClient({}, systemClock),
        credentials,
      }).digestOf(name, signal)()
      const none = await httpRegistry({
        clock: systemClock,
        client: httpClient({}, systemClock),
        credentials: { of: async () => undefined },
      }).digestOf(name, signal)()
      assert.ok(E.isLeft(wrong) && E.isLeft(none))
      assert.equal([wrong.left.code, none.left.code], ['DT4012', 'DT4012'])
      assert.match(wrong.left.message, 'are wrong')
      assert.match(none.left.message, 'has no credentials')
      assert.not.match(JSON.stringify([wrong, none]), 'not-the-password')
    } finally {
      end()
      server.end()
    }
  })
}

test('docker-registry, TLS: certificates of localhost are not checked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-tls-'))
  const server = await startRegistry({ isGuarded: true, tls: makeCertificates(join(folder, 'tls')) })
  const { credentials, end } = login(server.address, account.password)
  try {
    const found = await httpRegistry({ clock: systemClock, client: httpClient({}, systemClock), credentials }).digestOf(
      `${server.address}/app:1`,
      new AbortController().signal,
    )()
    assert.equal(found, E.right(undefined))
  } finally {
    end()
    server.end()
    rmSync(folder, { recursive: true })
  }
})

test.run()
