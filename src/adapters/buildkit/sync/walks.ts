/**
 * Walks that several builds of a run share: a folder that many images are built from is listed once. All of them send
 * the state of the folder at the first walk; each file is opened, and checked, when it is sent.
 */
import type { FileEntry } from './entry.ts'
import type { Unsendable } from './reason.ts'
import type { Walk } from './walk.ts'

/** `key`: the folder and the selection in it. */
export type Walks = (key: string, start: () => Walk) => Walk

/** Larger folders are not kept for later builds: an entry takes about 300 bytes. */
const mostKept = 50_000

type Shared = {
  readonly walk: Walk
  seen: Array<FileEntry>
  readers: number
  end?: { readonly why: Unsendable | undefined }
}

const isAlone = ({ readers, seen }: Shared): boolean => readers === 1 && seen.length > mostKept

/** The reader that reaches the end of the recorded entries advances the walk for all. */
function* read(shared: Shared, close: () => void): Walk {
  shared.readers += 1
  for (let at = 0; ; ) {
    const known = shared.seen[at]
    if (known !== undefined) {
      at += 1
      yield known
      continue
    }
    if (shared.end !== undefined) return shared.end.why
    const step = shared.walk.next()
    if (step.done === true) shared.end = { why: step.value }
    else if (step.value === undefined) yield undefined
    else {
      shared.seen.push(step.value)
      if (shared.seen.length > mostKept) close()
      if (isAlone(shared)) [shared.seen, at] = [[step.value], 0]
    }
  }
}

export const openWalks = (): Walks => {
  const known = new Map<string, Shared>()
  return (key, start) => {
    const shared = known.get(key) ?? { walk: start(), seen: [], readers: 0 }
    known.set(key, shared)
    return read(shared, () => {
      if (known.get(key) === shared) known.delete(key)
    })
  }
}
