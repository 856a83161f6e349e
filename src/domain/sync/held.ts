/** Acts that wait, and the acts that depend on them. */
import type { SyncAct } from './act.ts'
import { ancestorsOf } from './path.ts'

export const keyOf = ({ end, path }: SyncAct): string => `${end}/${path}`

/**
 * Depending acts: those at the same path, in a folder that is still to be created, or on a folder that is not yet
 * empty. Two acts at a path, one at each end, are only carried out together: after one of them, the base would not tell
 * what the other end has changed.
 */
export const heldBack = (waiting: ReadonlyArray<SyncAct>): ((act: SyncAct) => boolean) => {
  const paths = new Set(waiting.map(keyOf))
  const either = new Set(waiting.map(({ path }) => path))
  const above = new Set(waiting.flatMap(({ end, path }) => ancestorsOf(path).map((folder) => `${end}/${folder}`)))
  return (act) =>
    either.has(act.path) ||
    (act._tag !== 'MakeFolder' && above.has(keyOf(act))) ||
    (paths.size > 0 && ancestorsOf(act.path).some((folder) => paths.has(`${act.end}/${folder}`)))
}
