/** Hashes each build context once per run, however many images are built from it. */
import type { BuildContexts } from '../../ports/build-contexts.ts'

/** Concurrent and later requests share the result of the first one. */
export const hashedOnce = (contexts: BuildContexts): BuildContexts => {
  const asked = new Map<string, ReturnType<ReturnType<BuildContexts['hash']>>>()
  return {
    ...contexts,
    hash: (choice, signal) => () => {
      const key = JSON.stringify([choice.folder, choice.ignore, choice.root])
      const answer = asked.get(key) ?? contexts.hash(choice, signal)()
      asked.set(key, answer)
      return answer
    },
  }
}
