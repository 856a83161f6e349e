/**
 * What findings need to know about the text of a Dockerfile. The builder parses it; this module only locates lines in
 * it.
 */
import type { Place } from '../text/source.ts'
import type { SourcePart } from './event.ts'

const linesIn = (text: string): ReadonlyArray<string> => text.split(/\r?\n/)

type HereDocument = { readonly end: string; readonly isIndented: boolean }

const hereDocumentsIn = (line: string): ReadonlyArray<HereDocument> =>
  [...line.matchAll(/(?:^|\s)\d?<<(-?)(["']?)([\w.-]{1,100})\2(?=[\s;&|)>]|$)/g)].map(([, dash, , end = '']) => ({
    end,
    isIndented: dash === '-',
  }))

/** The lines with those of here-documents (`RUN <<EOF`) left empty, since they are no instructions. */
export const withoutHereDocuments = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let open: ReadonlyArray<HereDocument> = []
  let [mayHave, isContinued]: [boolean, boolean] = [false, false]
  return lines.map((line) => {
    const [first] = isContinued ? [] : open
    if (first !== undefined) {
      const text = first.isIndented ? line.replace(/^\t+/, '') : line
      if (text === first.end) open = open.slice(1)
      return ''
    }
    if (/^\s*(?:#|$)/.test(line)) return line
    if (!isContinued) mayHave = /^\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i.test(line)
    if (mayHave) open = [...open, ...hereDocumentsIn(line)]
    isContinued = /[\\`]\s*$/.test(line)
    return line
  })
}

/** Names of the stages, in order. */
export const stagesIn = (text: string): ReadonlyArray<string> =>
  withoutHereDocuments(linesIn(text)).flatMap((line) => {
    const [first = '', ...words] = line.trim().split(/\s+/)
    const isNamed = words.length > 2 && /^from$/i.test(first) && /^as$/i.test(words.at(-2) ?? '')
    return isNamed ? words.slice(-1) : []
  })

/** The lines from `start` to `end`, without the indentation of the first one. */
const placeOfLines = (file: string, text: string, start: number, end: number): Place => {
  const lines = linesIn(text)
  const [first, last] = [lines[start - 1] ?? '', lines[Math.max(start, end) - 1] ?? '']
  const col = first.length - first.trimStart().length + 1
  return { file, line: start, col, endLine: Math.max(start, end), endCol: Math.max(last.length + 1, col) }
}

/** An instruction with its continuation lines. */
type Instruction = { readonly start: number; readonly end: number; readonly text: string }

const instructionsIn = (text: string): ReadonlyArray<Instruction> => {
  const found: Array<Instruction> = []
  let open: Instruction | undefined
  for (const [index, line] of withoutHereDocuments(linesIn(text)).entries()) {
    const isComment = /^\s*(?:#.*)?$/.test(line)
    if (isComment) continue
    const words = line.replace(/\\\s*$/, ' ')
    const start: number = open?.start ?? index + 1
    const now: Instruction = { start, end: index + 1, text: `${open?.text ?? ''}${words}` }
    if (/\\\s*$/.test(line)) open = now
    else {
      found.push(now)
      open = undefined
    }
  }
  return open === undefined ? found : [...found, open]
}

const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** The instruction that a vertex runs (`[2/5] RUN npm ci`) or downloads a file for, if it is unambiguous. */
const instructionOf = (text: string, step: string): Instruction | undefined => {
  const wanted = spaced(step.replace(/^\[[^\]]*\]\s*/, '')).toLowerCase()
  if (wanted === '') return undefined
  const isMeant = (words: string): boolean =>
    /^https?:\S+$/.test(wanted) ? words.split(' ').includes(wanted) : words === wanted
  const [one, ...others] = instructionsIn(text).filter((each) => isMeant(spaced(each.text).toLowerCase()))
  return others.length === 0 ? one : undefined
}

/** The image that a vertex pulls or resolves. */
export const imageOfStep = (step: string): string | undefined =>
  /(?:load metadata for|resolve image config for|\bFROM) (?:docker-image:\/\/)?([^\s@]+)/.exec(step)?.[1]

const shortName = (image: string): string =>
  image
    .replace(/^docker\.io\/(?:library\/)?/, '')
    .replace(/:latest$/, '')
    .toLowerCase()

const IMAGE =
  /^\s*(?:#\s*syntax\s*=\s*|FROM\s+(?:--\S+\s+)*|(?:COPY|ADD)\s.*--from=|RUN(?:\s.*)?\s--mount=\S*from=)([^\s,]+)/i

/** The first line that names an image, and the form in which it does. */
const lineOfImage = (text: string, image: string): number | undefined => {
  const index = linesIn(text).findIndex((line) => shortName(IMAGE.exec(line)?.[1] ?? '') === shortName(image))
  return index === -1 ? undefined : index + 1
}

/** `dockerfile`: its path in the user's terms, which the builder does not know (it says `Dockerfile`). */
export type Dockerfile = { readonly file: string; readonly text?: string }

/** What a finding is about: a place, and the text there. */
export type DockerfileMatch = { readonly at: Place; readonly words: string }

const guessed = (
  text: string,
  line: number | undefined,
  step: string,
): readonly [start: number | undefined, end: number | undefined] => {
  if (line !== undefined) return [line, line]
  const own = instructionOf(text, step)
  if (own !== undefined) return [own.start, own.end]
  const image = imageOfStep(step)
  const at = image === undefined ? undefined : lineOfImage(text, image)
  return [at, at]
}

/**
 * The part that the builder names; otherwise line `line`; otherwise the instruction of `step`, or the line of the image
 * it pulls.
 */
export const findIn = (
  dockerfile: Dockerfile | undefined,
  part: SourcePart | undefined,
  { line, step }: { readonly line?: number | undefined; readonly step?: string | undefined },
): DockerfileMatch | undefined => {
  const file = dockerfile?.file ?? part?.file
  const text = part?.text ?? dockerfile?.text
  const range = part?.ranges[0]
  if (file === undefined) return undefined
  const [start, end] = range === undefined ? guessed(text ?? '', line, step ?? '') : [range.start, range.end]
  if (start === undefined || start < 1) return undefined
  const at = placeOfLines(file, text ?? '', start, end ?? start)
  return {
    at,
    words: linesIn(text ?? '')
      .slice(start - 1, at.endLine)
      .join('\n'),
  }
}
