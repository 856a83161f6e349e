/** Variables in values (Compose Specification, "Interpolation"). Keys are left alone, and aliases stay shared. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, type Unset, unsetVariables } from '../diagnostic/diagnostic.ts'
import { expandVariables, mostBrought } from '../text/interpolate.ts'
import { type Span, within } from '../text/source.ts'
import type { Budget } from './budget.ts'
import type { Entry, Node, Scalar } from './node.ts'
import { variablePlaces } from './variable-places.ts'

export type Variables = (name: string) => string | undefined

/** A part of a scalar, if its text is in the file as it is; otherwise the whole scalar. */
export const partOf = (scalar: Scalar, start: number, end: number): Span => {
  const { source, text } = scalar
  for (const quote of [0, 1]) {
    if (source.text.startsWith(text, scalar.start + quote) && scalar.end - scalar.start === text.length + 2 * quote) {
      return within(scalar, start + quote, end + quote)
    }
  }
  return scalar
}

/** How much text variables have expanded to so far. */
type ExpansionBudget = Pick<Budget, 'brought'>

const tooLong = (at: Span): Diagnostic =>
  error('DT1006', `variables expand to more than ${mostBrought / 1024 / 1024} million characters`, {
    at,
    help: 'check the values of the variables',
  })

/** What a walk has come across so far. */
type Expansion = { readonly budget: ExpansionBudget; readonly unset: Array<Unset> }

const interpolateScalar = (variables: Variables, scalar: Scalar, met: Expansion): Checked<Scalar> => {
  const expanded = expandVariables(scalar.text, variables)
  if (E.isLeft(expanded)) {
    const { message, start, end } = expanded.left
    return C.fail(
      error('DT1009', message, {
        at: variablePlaces(scalar)(start, end),
        help: 'write ${NAME}, ${NAME:-default} or, for a dollar sign, $$',
      }),
    )
  }
  const { value, brought, unset, required } = expanded.right
  met.budget.brought += brought
  if (met.budget.brought > mostBrought) return C.fail(tooLong(scalar))
  if (unset.length + required.length === 0) return C.ok({ ...scalar, text: value, plain: false })
  const placeOf = variablePlaces(scalar)
  for (const { name, start, end } of unset) met.unset.push({ name, at: placeOf(start, end) })
  const found = required.map((r) =>
    error('DT1010', r.message === '' ? `the variable ${r.name} is required` : `${r.name}: ${r.message}`, {
      at: placeOf(r.start, r.end),
      help: `set ${r.name} in the environment or in .env`,
    }),
  )
  return C.note({ ...scalar, text: value, plain: false }, found)
}

/** Variables that are known only during a deploy. One without a value yet is left as written. */
export const isLate = (name: string): boolean => /^DEVTOOL_(?:BUILD|DEPENDENCY|EXTERNAL)_/.test(name)

/** Variables of images are set when the image is built, not when the file is read. */
const withLateBuilds =
  (variables: Variables): Variables =>
  (name) => {
    const known = variables(name)
    return known !== undefined && name.startsWith('DEVTOOL_BUILD_') ? `\${${name}}` : known
  }

/** How far a walk has got on the way to `services.*.build`; `Other` is off that path. */
type Depth = 'Root' | 'Services' | 'Service' | 'Build' | 'Other'

const below = (where: Depth, key: string): Depth => {
  switch (where) {
    case 'Root':
      return key === 'services' ? 'Services' : 'Other'
    case 'Services':
      return 'Service'
    case 'Service':
      return key === 'build' ? 'Build' : 'Other'
    case 'Build':
    case 'Other':
      return where
  }
}

type NodeWalk = (node: Node, where: Depth) => Node

const walkOf = (scalarAt: (node: Scalar, where: Depth) => Scalar): NodeWalk => {
  // Shared nodes stay shared, separately for each context in which they mean the same.
  const done: Readonly<Record<Depth, Map<Node, Node>>> = {
    Root: new Map(),
    Services: new Map(),
    Service: new Map(),
    Build: new Map(),
    Other: new Map(),
  }

  const collection = (node: Exclude<Node, Scalar>, where: Depth): Node => {
    if (node._tag === 'Sequence') {
      const items = node.items.map((item) => visit(item, below(where, '')))
      return items.every((item, i) => item === node.items[i]) ? node : { ...node, items }
    }
    const entries = node.entries.map((entry): Entry => {
      const value = visit(entry.value, below(where, entry.key.text))
      return value === entry.value ? entry : { key: entry.key, value }
    })
    return entries.every((entry, i) => entry === node.entries[i]) ? node : { ...node, entries }
  }

  const visit: NodeWalk = (node, where) => {
    if (node._tag === 'Scalar') return scalarAt(node, where)
    const known = done[where].get(node)
    if (known !== undefined) return known
    const result = collection(node, where)
    done[where].set(node, result)
    return result
  }
  return visit
}

const replaced = (variables: Variables, root: Node, start: Depth, budget: ExpansionBudget): Checked<Node> => {
  const found: Array<Diagnostic> = []
  const unset: Array<Unset> = []
  const late = withLateBuilds(variables)
  const visit = walkOf((node, where) => {
    if (!node.text.includes('$') || budget.brought > mostBrought) return node
    const checked = interpolateScalar(where === 'Build' ? late : variables, node, { budget, unset })
    for (const d of C.findings(checked)) found.push(d)
    return C.valueOf(checked) ?? node
  })
  const tree = visit(root, start)
  return C.note(tree, [...found, ...unsetVariables(unset)])
}

/**
 * The tree with every variable replaced. Finds DT1006 (too long), DT1009 (syntax), DT1010 (`?` without a value); warns
 * DT1011 where a variable without a value was used. Values of variables are never expanded again.
 */
export const interpolate = (
  variables: Variables,
  root: Node,
  budget: ExpansionBudget = { brought: 0 },
): Checked<Node> => replaced(variables, root, 'Other', budget)

/** Whether a file may have any: without one its tree need not be walked. */
export const mayHaveVariables = ({ source }: Node): boolean => source.text.includes('$')

/** The same for a Compose file: in `build` of a service, variables of images are left as written. */
export const interpolateCompose = (variables: Variables, root: Node, budget: ExpansionBudget): Checked<Node> =>
  mayHaveVariables(root)
    ? replaced(variables, root, root.source.text.includes('DEVTOOL_BUILD_') ? 'Root' : 'Other', budget)
    : C.ok(root)
