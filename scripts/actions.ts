/** Finds where a source tells actions apart by hand. */
import { Visitor } from 'oxc-parser'
import type { Source } from './imports.ts'

/** The file with the union of actions, the only one that may look at their tags. */
const actionFile = 'src/domain/plan/action.ts'

/** The members of the type `Members`: all kinds of actions. */
export const actionTags = (sources: ReadonlyArray<Source>): ReadonlySet<string> => {
  const tags = new Set<string>()
  const source = sources.find(({ file }) => file === actionFile)
  if (source === undefined) return tags
  new Visitor({
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => {
      if (id.name !== 'Members' || typeAnnotation.type !== 'TSTypeLiteral') return
      for (const member of typeAnnotation.members)
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier') tags.add(member.key.name)
    },
  }).visit(source.program)
  return tags
}

type Node = { readonly type: string; readonly name?: unknown; readonly value?: unknown; readonly property?: unknown }

const isNamed = (node: unknown): boolean =>
  typeof node === 'object' && node !== null && 'name' in node && node.name === '_tag'

/**
 * Offsets of comparisons with a tag of an action. Only `fold` and `partition` may look at tags, so that the compiler
 * finds every place that a new action affects.
 */
export const comparedActions = (source: Source, tags: ReadonlySet<string>): ReadonlyArray<number> => {
  const found: Array<number> = []
  if (source.file === actionFile) return found
  const isTag = (node: Node): boolean => isNamed(node) || (node.type === 'MemberExpression' && isNamed(node.property))
  const isAction = (node: Node | null): boolean => typeof node?.value === 'string' && tags.has(node.value)
  new Visitor({
    BinaryExpression: ({ left, right, start }) => {
      if ((isTag(left) && isAction(right)) || (isTag(right) && isAction(left))) found.push(start)
    },
    SwitchStatement: ({ cases, discriminant, start }) => {
      if (isTag(discriminant) && cases.some(({ test }) => isAction(test))) found.push(start)
    },
  }).visit(source.program)
  return found
}
