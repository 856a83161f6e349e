/** Heavy modules are loaded when they are first used. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Loads at most once. */
export const once = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loaded: Promise<A> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

/** A port whose implementation is loaded on its first use. */
export const via =
  <P, L, A>(load: () => Promise<P>, ask: (port: P) => TaskEither<L, A>): TaskEither<L, A> =>
  async () =>
    ask(await load())()
