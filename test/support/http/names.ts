/** Resolves a name to 127.0.0.1, for connections of this process without a proxy. */
import type dns from 'node:dns'
import type { LookupOptions } from 'node:dns'

/** Returns what undoes it. */
export const resolveHere = (resolver: typeof dns, host: string): (() => void) => {
  const { lookup } = resolver
  const found = (name: string, ...given: ReadonlyArray<unknown>): unknown => {
    if (name !== host) return Reflect.apply(lookup, resolver, [name, ...given])
    const [address, done] = ['127.0.0.1', given.at(-1)]
    const { all }: LookupOptions = Object(given[0])
    return typeof done === 'function' && done(null, ...(all === true ? [[{ address, family: 4 }]] : [address, 4]))
  }
  Object.assign(resolver, { lookup: found })
  return () => void Object.assign(resolver, { lookup })
}
