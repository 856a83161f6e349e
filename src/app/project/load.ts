/** Answers what a computation asks for: from the disk, within bounds, or from a map at once. */
import type { FileContent } from '../../domain/compose/files.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Asking, Store } from './asking.ts'

/** No project has more; what comes after is refused as too large. */
const limits = { files: 10_000, bytes: 256 * 1024 * 1024, atOnce: 16 }

const inBatches = async (paths: ReadonlyArray<string>, run: (path: string) => Promise<void>): Promise<void> => {
  for (let at = 0; at < paths.length; at += limits.atOnce) {
    await Promise.all(paths.slice(at, at + limits.atOnce).map(run))
  }
}

const sizeOf = (content: FileContent): number => (content._tag === 'File' ? content.bytes.length : 0)

/** `isConfined`: nothing outside the project folder is read. */
export const load =
  ({ files }: Pick<Ports, 'files'>, isConfined: boolean) =>
  async <A>(computation: Asking<A>, store: Store): Promise<A> => {
    let bytes = 0
    const read = async (path: string, root: string | undefined): Promise<void> => {
      const isFull = store.contents.size >= limits.files || bytes > limits.bytes
      const content: FileContent = isFull ? { _tag: 'TooLarge' } : await files.read(path, { root })()
      bytes += sizeOf(content)
      store.contents.set(path, content)
    }
    const look = async (path: string): Promise<void> => {
      store.kinds.set(path, await files.kind(path)())
    }
    for (;;) {
      const step = computation.next()
      if (step.done === true) return step.value
      const ask = step.value
      if (ask._tag === 'Load')
        store.code.readManifest ??= (await import('../../domain/manifest/read/manifest.ts')).readManifest
      else if (ask._tag === 'Look') await inBatches(ask.paths, look)
      else {
        const root = isConfined ? ask.folder : undefined
        await inBatches(
          ask.paths.filter((path) => !store.contents.has(path)),
          (path) => read(path, root),
        )
      }
    }
  }

/** The same at once, from what is given; what is not given is missing. The store has the code already. */
export const loadFrom = <A>(given: ReadonlyMap<string, FileContent>, computation: Asking<A>, store: Store): A => {
  for (;;) {
    const step = computation.next()
    if (step.done === true) return step.value
    const ask = step.value
    if (ask._tag === 'Load') continue
    for (const path of ask.paths) {
      if (ask._tag === 'Look') store.kinds.set(path, given.has(path) ? 'File' : 'Missing')
      else if (!store.contents.has(path)) store.contents.set(path, given.get(path) ?? { _tag: 'Missing' })
    }
  }
}
