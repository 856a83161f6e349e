/** Registries in memory and over HTTP keep to the same; real ones are in the tests that need programs. */
import { test } from 'uvu'
import { httpClient } from '../../src/adapters/http/client.ts'
import { httpRegistry } from '../../src/adapters/registry/client.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { memoryRegistry } from '../memory/registry.ts'
import { account, registryFake, sha256 } from '../support/registry/fake.ts'
import { registryCases } from './registry-suite.ts'

const manifest = '{"schemaVersion":2,"config":{},"layers":[]}'

const inMemory = registryCases(async () => {
  const name = 'registry.example.com/app'
  const digests = new Map([[`${name}:first`, sha256(manifest)]])
  return { registry: memoryRegistry(digests), name, digest: sha256(manifest), end: () => {} }
})
for (const [title, run] of inMemory) test(`memory: ${title}`, run)

for (const guard of ['open', 'basic', 'bearer'] as const) {
  const cases = registryCases(async () => {
    const fake = await registryFake({ guard })
    fake.manifests.set('team/app:first', manifest)
    const credential = { username: account.username, secret: account.password }
    const registry = httpRegistry({
      clock: systemClock,
      client: httpClient({}, systemClock),
      credentials: { of: async () => credential },
      pauseMs: 1,
    })
    return { registry, name: `${fake.host}/team/app`, digest: sha256(manifest), end: fake.end }
  })
  for (const [title, run] of cases) test(`http, ${guard}: ${title}`, run)
}

test.run()
