/** What every registry keeps to, whoever answers for it. */
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { Registry } from '../../src/ports/registry.ts'

/** `name`: `HOST/REPOSITORY`, where nothing is but an image with the tag `first` and this digest. */
type RegistryWorld = {
  readonly registry: Registry
  readonly name: string
  readonly digest: string
  readonly end: () => void | Promise<void>
}

type Case = readonly [title: string, run: () => Promise<void>]

const codeOf = (result: E.Either<{ readonly code: string }, unknown>): string | undefined =>
  E.isLeft(result) ? result.left.code : undefined

const { signal } = new AbortController()

const cases: Readonly<Record<string, (world: RegistryWorld) => Promise<void>>> = {
  'the digest of an existing image is known, and that of a missing one is undefined': async ({
    digest,
    name,
    registry,
  }) => {
    assert.equal(await registry.digestOf(`${name}:first`, signal)(), E.right(digest))
    assert.equal(await registry.digestOf(`${name}:other`, signal)(), E.right(undefined))
    assert.equal(await registry.digestOf(`${name}/more:first`, signal)(), E.right(undefined))
  },
  'a further tag refers to the same image, and may be set repeatedly': async ({ digest, name, registry }) => {
    assert.equal(await registry.tag(`${name}:first`, `${name}:second`, signal)(), E.right(undefined))
    assert.equal(await registry.tag(`${name}:second`, `${name}:second`, signal)(), E.right(undefined))
    assert.equal(await registry.digestOf(`${name}:second`, signal)(), E.right(digest))
    assert.equal(await registry.digestOf(`${name}:first`, signal)(), E.right(digest))
  },
  'a name in another repository is the same image': async ({ digest, name, registry }) => {
    const other = `${name.slice(0, name.lastIndexOf('/'))}/other:second`
    assert.equal(await registry.tag(`${name}:first`, other, signal)(), E.right(undefined))
    assert.equal(await registry.digestOf(other, signal)(), E.right(digest))
    assert.equal(await registry.tag(`${name}:latest@${digest}`, other, signal)(), E.right(undefined))
  },
  'a missing image cannot be tagged, nor an image in another registry': async ({ name, registry }) => {
    assert.is(codeOf(await registry.tag(`${name}:missing`, `${name}:second`, signal)()), 'DT4011')
    assert.is(codeOf(await registry.tag(`${name}:first`, 'registry.example.com:5000/app:second', signal)()), 'DT4011')
    assert.equal(await registry.digestOf(`${name}:second`, signal)(), E.right(undefined))
  },
  'an invalid name is refused': async ({ registry }) => {
    assert.is(codeOf(await registry.digestOf('No Name', signal)()), 'DT4031')
    assert.is(codeOf(await registry.tag('a:1', 'b:', signal)()), 'DT4031')
  },
}

/** Each opens a world of its own. */
export const registryCases = (open: () => Promise<RegistryWorld>): ReadonlyArray<Case> =>
  Object.entries(cases).map(
    ([title, check]): Case => [
      title,
      async () => {
        const world = await open()
        try {
          await check(world)
        } finally {
          await world.end()
        }
      },
    ],
  )
