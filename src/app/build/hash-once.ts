/** Contexts whose hash is asked for once a run, however many images are made of them. */
import type { BuildContexts } from '../../ports/build-contexts.ts'

/** Whoever asks again gets the answer to the first, even if that is still to come. */
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
