/** Two people, or their programs, who write at both ends without coordination. Each content is written once. */
import { childOf, nameOf } from '../../../src/domain/sync/path.ts'
import type { Random } from './random.ts'
import { renamed } from './renamed.ts'
import type { UserTree } from './user-tree.ts'

/**
 * `born`: contents that were written, with their paths. `ended`: contents that their writer, or another, replaced or
 * deleted.
 */
export type Ledger = { readonly born: Map<string, string>; readonly ended: Set<string> }

let writes = 0

export const newLedger = (): Ledger => ({ born: new Map(), ended: new Set() })

/** Marks everything at a path as ended. */
const endAt = (tree: UserTree, ledger: Ledger, path: string): void => {
  for (const one of [path, ...tree.paths(path)]) {
    const node = tree.node(one)
    if (node?._tag === 'File') ledger.ended.add(node.content)
  }
}

const write = (tree: UserTree, ledger: Ledger, path: string, isExecutable: boolean): void => {
  const node = tree.node(path)
  writes += 1
  const content = `v${writes} of ${nameOf(path)}`
  if (node !== undefined) endAt(tree, ledger, path)
  if (tree.write(path, content, isExecutable)) ledger.born.set(content, path)
}

export const writeSomething = (tree: UserTree, ledger: Ledger, random: Random): void => {
  const paths = tree.paths().filter((path) => !path.split('/').includes('ignored'))
  const folders = ['', ...paths.filter((path) => tree.folder(path) !== undefined)]
  const files = paths.filter((path) => tree.node(path)?._tag === 'File')
  const folder = random.pick(folders) ?? ''
  const file = random.pick(files)
  const inFolder = (name: string): string => childOf(folder, name)
  switch (random.below(13)) {
    case 0:
    case 1:
    case 2:
      return write(tree, ledger, inFolder(`f${random.below(25)}`), random.chance(0.1))
    case 3:
    case 4:
      return file === undefined ? undefined : write(tree, ledger, file, false)
    case 5: {
      if (file === undefined) return
      endAt(tree, ledger, file)
      tree.put(file, undefined)
      return
    }
    case 6:
      tree.makeFolder(inFolder(`d${random.below(6)}`))
      return
    case 7: {
      if (file === undefined) return
      const to = renamed(file, folder, random)
      if (to === file || to.startsWith(`${file}/`)) return
      endAt(tree, ledger, to)
      tree.rename(file, to)
      return
    }
    case 8: {
      const to = `m${random.below(6)}`
      if (folder === '' || tree.node(to) !== undefined) return
      tree.rename(folder, to)
      return
    }
    case 9: {
      if (folder === '' || !random.chance(0.3)) return
      endAt(tree, ledger, folder)
      tree.put(folder, undefined)
      return
    }
    case 10: {
      if (file === undefined || !random.chance(0.5)) return
      endAt(tree, ledger, file)
      tree.put(file, undefined)
      tree.makeFolder(file)
      return write(tree, ledger, `${file}/inner`, false)
    }
    case 11: {
      const node = file === undefined ? undefined : tree.node(file)
      if (file !== undefined && node?._tag === 'File') tree.put(file, { ...node, isExecutable: !node.isExecutable })
      return
    }
    case 12: {
      const path = inFolder(`l${random.below(5)}`)
      endAt(tree, ledger, path)
      tree.put(path, { _tag: 'Link', target: `f${random.below(25)}` })
      return
    }
  }
}
