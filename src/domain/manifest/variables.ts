/**
 * Variables in a manifest: replaced in every value by Compose's rules, except in commands. Those are left to the shell,
 * which has the same variables and also those of a running deploy.
 */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { interpolate, isLate, mayHaveVariables, type Variables } from '../yaml/interpolate.ts'
import type { Entry, Mapping, Node } from '../yaml/node.ts'

/** Variables that only a running deploy knows stay as written while they have no value. */
export const withLate =
  (variables: Variables): Variables =>
  (name) =>
    variables(name) ?? (isLate(name) ? `\${${name}}` : undefined)

type VariableWalk = (node: Node, found: Array<Diagnostic>) => Node

const entriesBy =
  (walkOf: (key: string) => VariableWalk): VariableWalk =>
  (node, found) => {
    if (node._tag !== 'Mapping') return walkOf('')(node, found)
    const entries = node.entries.map(({ key, value }): Entry => ({ key, value: walkOf(key.text)(value, found) }))
    return { ...node, entries }
  }

const items =
  (walk: VariableWalk): VariableWalk =>
  (node, found) =>
    node._tag === 'Sequence' ? { ...node, items: node.items.map((item) => walk(item, found)) } : walk(node, found)

const leave: VariableWalk = (node) => node

/** The root with its variables replaced. Finds DT1006, DT1009, DT1010; warns DT1011. */
export const expand = (variables: Variables, root: Mapping): Checked<Mapping> => {
  if (!mayHaveVariables(root)) return C.ok(root)
  const budget = { brought: 0 }
  const replace: VariableWalk = (node, found) => {
    const read = interpolate(variables, node, budget)
    for (const d of C.findings(read)) found.push(d)
    return C.valueOf(read) ?? node
  }
  const but = (own: Readonly<Record<string, VariableWalk>>): VariableWalk =>
    entriesBy((key) => (Object.hasOwn(own, key) ? own[key] : undefined) ?? replace)
  const command: VariableWalk = (node, found) => (node._tag === 'Scalar' ? node : but({ command: leave })(node, found))
  const commands = items(command)
  const run: VariableWalk = (node, found) => (node._tag === 'Sequence' ? commands : but({ commands }))(node, found)
  const hooks = entriesBy(() => but({ command: leave }))
  const container = { command: leave, args: leave, lifecycle: hooks }
  const developed = entriesBy(() => but({ ...container, services: items(but(container)) }))
  const found: Array<Diagnostic> = []
  const tree = but({ deploy: run, destroy: run, dev: developed })(root, found)
  return C.note(tree._tag === 'Mapping' ? tree : root, found)
}
