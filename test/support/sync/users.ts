/** Changes that users make to a tree. */
import * as fc from 'fast-check'
import type { UserTree } from './user-tree.ts'

export type UserOp =
  | { readonly _tag: 'Write'; readonly path: string; readonly content: string; readonly isExecutable: boolean }
  | { readonly _tag: 'Link'; readonly path: string; readonly target: string }
  | { readonly _tag: 'Special' | 'Remove' | 'MakeFolder'; readonly path: string }
  | { readonly _tag: 'Rename'; readonly path: string; readonly to: string }

const name = fc.constantFrom('a', 'b', 'c')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))

/** Users write the same three contents again and again. */
const content = fc.constantFrom('x', 'y', 'z')
const target = fc.constantFrom('a', 'b', '../c', '../../..', '/etc')

export const userOp: fc.Arbitrary<UserOp> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant('Write'), path, content, isExecutable: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant('Remove'), path }) },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant('MakeFolder'), path }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant('Rename'), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant('Link'), path, target }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant('Special'), path }) },
)

/** Impossible changes are skipped. */
export const doOp = (tree: UserTree, op: UserOp): boolean => {
  switch (op._tag) {
    case 'Write':
      return tree.folder(op.path) === undefined && tree.write(op.path, op.content, op.isExecutable)
    case 'Link':
      return tree.folder(op.path) === undefined && tree.put(op.path, { _tag: 'Link', target: op.target })
    case 'Special':
      return tree.node(op.path) === undefined && tree.put(op.path, { _tag: 'Special' })
    case 'Remove':
      return tree.node(op.path) !== undefined && tree.put(op.path, undefined)
    case 'MakeFolder':
      return tree.makeFolder(op.path)
    case 'Rename':
      return tree.rename(op.path, op.to)
  }
}
