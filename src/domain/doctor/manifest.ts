/** A Compose file or manifest that is safe to share: the original text without the values of variables. */
import * as C from '../checked.ts'
import { source } from '../text/source.ts'
import type { Node } from '../yaml/node.ts'
import { readYaml } from '../yaml/read.ts'

const MASK = '"***"'

/** Mappings whose values are private. */
const holders: ReadonlySet<string> = new Set(['environment', 'args', 'variables', 'content'])

type Cut = { readonly start: number; readonly end: number; readonly text: string }

/** In `NAME=value`, the name is kept. */
const cutsOf = (node: Node): ReadonlyArray<Cut> => {
  switch (node._tag) {
    case 'Scalar': {
      const at = node.text.indexOf('=')
      const text = at === -1 ? MASK : `"${node.text.slice(0, at).replace(/[^\w.-]/g, '')}=***"`
      return node.start === node.end ? [] : [{ start: node.start, end: node.end, text }]
    }
    case 'Sequence':
      return node.items.flatMap(cutsOf)
    case 'Mapping':
      return node.entries.flatMap(({ value }) =>
        value._tag === 'Scalar' && value.start !== value.end
          ? [{ start: value.start, end: value.end, text: MASK }]
          : value._tag === 'Scalar'
            ? []
            : cutsOf(value),
      )
  }
}

const find = (node: Node): ReadonlyArray<Cut> => {
  if (node._tag === 'Scalar') return []
  if (node._tag === 'Sequence') return node.items.flatMap(find)
  return node.entries.flatMap(({ key, value }) => (holders.has(key.text) ? cutsOf(value) : find(value)))
}

const BLOCK = /[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\n[ \t]*$/

/** For a block scalar the indicator is removed too, and the final line break kept. */
const whole = (text: string, cut: Cut): Cut => {
  const block = BLOCK.exec(text.slice(Math.max(0, cut.start - 200), cut.start))
  if (block === null) return cut
  const end = text.slice(cut.start, cut.end).trimEnd().length
  return { ...cut, start: cut.start - block[0].length, end: cut.start + end }
}

/** `undefined` when it cannot be parsed, since nobody knows what it contains then. Comments are removed. */
export const withoutVariables = (file: string, text: string): string | undefined => {
  const documents = C.valueOf(readYaml(source(file, '.', text)))
  if (documents === undefined) return undefined
  const cuts = new Map(
    documents
      .flatMap(find)
      .map((found) => whole(text, found))
      .map((cut) => [cut.start, cut]),
  )
  let [out, from] = ['', 0]
  for (const { end, start, text: shown } of [...cuts.values()].toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue
    out += text.slice(from, start) + shown
    from = end
  }
  return (out + text.slice(from)).replace(/^[ \t]*#.*\n?/gm, '')
}
