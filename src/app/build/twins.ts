/**
 * Images with the same content that go to several repositories: the first is built, and the others get its layers in
 * the registry.
 */
import type { BuiltOne } from './request.ts'

type BuildOutcome = { readonly built?: BuiltOne }

/**
 * `hashed`: the name with the content hash as its tag; without one there are no twins. `make` gets the reference of the
 * previous image with that content.
 */
export type Twins = <A extends BuildOutcome>(
  hashed: string | undefined,
  make: (twin: string | undefined) => Promise<A>,
) => Promise<A>

/** Images with the same content wait for each other. */
export const openTwins = (): Twins => {
  const last = new Map<string, Promise<BuildOutcome>>()
  return (hashed, make) => {
    if (hashed === undefined) return make(undefined)
    const hash = hashed.slice(hashed.lastIndexOf(':') + 1)
    const before = last.get(hash)
    const mine = before === undefined ? make(undefined) : before.then(({ built }) => make(built?.reference))
    last.set(hash, mine)
    return mine
  }
}
