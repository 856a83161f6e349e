/** Variables in values (Compose Specification, "Interpolation"). Keys are never touched, and aliases stay shared. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import { type Span, within } from '../source.ts'
import { mostBrought, readTemplate, substitute } from '../text/interpolate.ts'
import type { Entry, Node, Scalar } from '../yaml/node.ts'

export type Variables = (name: string) => string | undefined

/** A part of a scalar, when its text stands in the file as it is; else the whole scalar. */
export const partOf = (scalar: Scalar, start: number, end: number): Span => {
  const { source, text } = scalar
  for (const quote of [0, 1]) {
    if (source.text.startsWith(text, scalar.start + quote) && scalar.end - scalar.start === text.length + 2 * quote) {
      return within(scalar, start + quote, end + quote)
    }
  }
  return scalar
}

/** What the variables of one document have brought in so far. */
type Budget = { brought: number }

const tooLong = (at: Span): Diagnostic =>
  error('DT1006', `variables bring in more than ${mostBrought / 1024 / 1024} million characters`, {
    at,
    help: 'check the values of the variables',
  })

const interpolateScalar = (variables: Variables, scalar: Scalar, budget: Budget): Checked<Scalar> => {
  const template = readTemplate(scalar.text)
  if (E.isLeft(template)) {
    const { message, start, end } = template.left
    return C.fail(
      error('DT1009', message, {
        at: partOf(scalar, start, end),
        help: 'write ${NAME}, ${NAME:-default} or, for a dollar sign, $$',
      }),
    )
  }
  const { value, brought, unset, required } = substitute(template.right, variables)
  budget.brought += brought
  if (budget.brought > mostBrought) return C.fail(tooLong(scalar))
  const found: ReadonlyArray<Diagnostic> = [
    ...unset.map((name) =>
      warning('DT1011', `the variable ${name} is not set: an empty text is used`, {
        at: scalar,
        help: `set it in the environment or in .env, or write \${${name}:-} where empty is meant`,
      }),
    ),
    ...required.map((r) =>
      error('DT1010', r.message === '' ? `the variable ${r.name} is required` : `${r.name}: ${r.message}`, {
        at: partOf(scalar, r.start, r.end),
        help: `set ${r.name} in the environment or in .env`,
      }),
    ),
  ]
  return C.note({ ...scalar, text: value, plain: false }, found)
}

/**
 * The tree with every variable replaced. Finds DT1006 (too long), DT1009 (syntax), DT1010 (`?` without a value); warns
 * DT1011 where a variable without a value was used. What a variable brings in is never expanded again.
 */
export const interpolate = (variables: Variables, root: Node): Checked<Node> => {
  const found: Array<Diagnostic> = []
  const done = new Map<Node, Node>()
  const budget: Budget = { brought: 0 }

  const collection = (node: Exclude<Node, Scalar>): Node => {
    if (node._tag === 'Sequence') {
      const items = node.items.map(visit)
      return items.every((item, i) => item === node.items[i]) ? node : { ...node, items }
    }
    const entries = node.entries.map((entry): Entry => {
      const value = visit(entry.value)
      return value === entry.value ? entry : { key: entry.key, value }
    })
    return entries.every((entry, i) => entry === node.entries[i]) ? node : { ...node, entries }
  }

  const visit = (node: Node): Node => {
    if (node._tag === 'Scalar') {
      if (!node.text.includes('$') || budget.brought > mostBrought) return node
      const checked = interpolateScalar(variables, node, budget)
      for (const d of C.findings(checked)) found.push(d)
      return C.valueOf(checked) ?? node
    }
    const known = done.get(node)
    if (known !== undefined) return known
    const result = collection(node)
    done.set(node, result)
    return result
  }

  return root.source.text.includes('$') ? C.note(visit(root), found) : C.ok(root)
}
