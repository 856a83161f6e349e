/**
 * Limits for all files of a project together, copies included, so that hostile input is rejected before it costs much.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Span } from '../text/source.ts'
import { limits } from './limits.ts'
import type { Entry, Node } from './node.ts'

/** `values` were counted so far, `brought` characters came from variables. */
export type Budget = { values: number; brought: number }

export const newBudget = (): Budget => ({ values: 0, brought: 0 })

export const isSpent = ({ values }: Budget): boolean => values > limits.values

/** Nothing more is read of a project that is refused for its size. */
export const exhaust = (budget: Budget): void => {
  budget.values = Number.POSITIVE_INFINITY
}

/** DT1006 at the place that exceeds the budget; nothing at later ones. */
export const spend = (budget: Budget, values: number, at: Span | undefined): Diagnostic | undefined => {
  const wasSpent = isSpent(budget)
  budget.values += values
  if (wasSpent || !isSpent(budget)) return undefined
  return error('DT1006', `the project has more than ${limits.values} values, what is copied included`, {
    at,
    help: 'check what copies others (extends, include, env_file, aliases, volumes_from, ranges of ports), or that these are the files you meant',
  })
}

/** A long text counts as many values, so that the maximum number of values holds 64 MiB. */
export const textSize = (text: string): number => 1 + (text.length >>> 6)

/** The values in a tree; shared values count at each place. Counting stops above the limit. */
export const sizeOf = (root: Node): number => {
  let sum = 0
  const count = (node: Node): void => {
    if (node._tag === 'Scalar') {
      sum += textSize(node.text)
      return
    }
    sum += 1
    if (sum > limits.values) return
    if (node._tag === 'Sequence') node.items.forEach(count)
    else node.entries.forEach(countEntry)
  }
  const countEntry = ({ key, value }: Entry): void => {
    sum += textSize(key.text)
    count(value)
  }
  count(root)
  return sum
}
