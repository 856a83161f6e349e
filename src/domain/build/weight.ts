/** Contexts that are larger than intended. */
import { type Diagnostic, placed, warning } from '../diagnostic/diagnostic.ts'
import { showCount, showSize } from '../progress/size.ts'
import type { Place } from '../text/source.ts'

/** In bytes; `largest` in any order. */
type Weight = {
  readonly files: number
  readonly bytes: number
  readonly largest: ReadonlyArray<{ readonly path: string; readonly bytes: number }>
}

/** `folder`: the context in the user's terms. `at`: where it is written. */
type WeightAbout = {
  readonly image: string
  readonly folder: string
  readonly at?: Place | undefined
  readonly hasIgnore?: boolean
}

const limit = 200_000_000
const mostEntries = 10

const worst = ({ largest }: Weight): Weight['largest'] =>
  largest.toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)).slice(0, mostEntries)

/** A warning when more than 200 MB would be sent: the largest entries, and what to do. */
export const heavyContext = (weight: Weight, about: WeightAbout): ReadonlyArray<Diagnostic> => {
  if (weight.bytes <= limit) return []
  const { at, folder, hasIgnore = false, image } = about
  const entries = worst(weight)
  const width = entries.reduce((most, { bytes }) => Math.max(most, showSize(bytes).length), 0)
  const sum = `${showSize(weight.bytes)} in ${showCount(weight.files)} ${weight.files === 1 ? 'file' : 'files'}`
  const lead = `image ${image}: the build context ${folder} holds ${sum}`
  const rows = entries.map(({ bytes, path }) => `${showSize(bytes).padStart(width)}  ${path}`)
  const message = entries.length === 0 ? lead : [`${lead}; the largest are`, ...rows].join('\n')
  const file = hasIgnore ? 'add what no step copies to .dockerignore' : 'exclude what no step copies in a .dockerignore'
  return [placed(at, warning('DT4041', message, { help: `${file}, or use a smaller context` }))]
}
