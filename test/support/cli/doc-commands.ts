/** Commands in the documentation, as users type them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** A fenced block of a page. `language`: the word after the fence. */
export type DocBlock = { readonly page: string; readonly language: string; readonly lines: ReadonlyArray<string> }

export const pages: ReadonlyArray<string> = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
]

/** Only below this heading, if it is given. */
const pageText = (page: string, heading?: string): string => {
  const text = readFileSync(join(root, page), 'utf8')
  return heading === undefined ? text : (text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
}

const fenced = /^```(\w*)[^\n]*\n([^]*?)^```$/gm

export const blocksIn = (page: string, heading?: string): ReadonlyArray<DocBlock> =>
  [...pageText(page, heading).matchAll(fenced)].map(([, language = '', body = '']) => ({
    page,
    language,
    lines: body.split('\n').filter((line) => line !== ''),
  }))

/** The commands in a block: the lines with a prompt if it shows output, otherwise all lines. */
const commandLines = ({ language, lines }: DocBlock): ReadonlyArray<string> => {
  const prompted = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))
  const isShell = language === '' || language === 'sh'
  return prompted.length > 0 ? prompted : isShell ? lines : []
}

const comment = /\s+#.*/

export const typedIn = (block: DocBlock): ReadonlyArray<string> =>
  commandLines(block).map((line) => line.replace(comment, ''))

export const commentsIn = (block: DocBlock): ReadonlyArray<string> =>
  commandLines(block).flatMap((line) => comment.exec(line)?.[0] ?? [])

/** Inline code in sentences and table cells, and indented code. */
export const inlineIn = (page: string, heading?: string): ReadonlyArray<string> =>
  [
    ...pageText(page, heading)
      .replaceAll(fenced, '')
      .matchAll(/`([^`\n]+)`|^ {4}(\S.*)$/gm),
  ].map(([, inText = '', indented = '']) => `${inText}${indented}`)

/** The devtool commands in a shell line, split into words. */
export const devtoolIn = (line: string): ReadonlyArray<ReadonlyArray<string>> =>
  line
    .split(/&&|;|[<>]\(|[<>|)]/)
    .map((part) => part.trim().replace(/^(?:[A-Z_]+=\S* )+/, ''))
    .filter((part) => part.startsWith('devtool '))
    .map((part) => part.split(/\s+/).map((word) => word.replaceAll(/^'|'$/g, '')))

/** Of the words of a command. */
export const needsNoCluster = (words: ReadonlyArray<string>): boolean =>
  /^(?:explain|schema|completion|validate|version|help)$/.test(words[1] ?? '') || words.includes('--dry-run')

const isCommand = (line: string): boolean => /^(?:[A-Z_]+=\S* )*(?:devtool|kubectl|ssh|scp) /.test(line)

/** Of a page, or of one chapter. */
export type DocPlace = { readonly page: string; readonly heading?: string }

/**
 * What the tests on a cluster type: every command of the blocks, and those in sentences that are more than a name. Where a
 * word is in capitals, the reader puts something.
 */
const clusterLines = ({ heading, page }: DocPlace): ReadonlyArray<string> =>
  [
    ...blocksIn(page, heading).flatMap(typedIn),
    ...inlineIn(page, heading).filter((line) => line.split(/\s+/).length > 2),
  ].filter((line) => isCommand(line) && !(devtoolIn(line).length > 0 && devtoolIn(line).every(needsNoCluster)))

export type DocLines = {
  /** The line, which has to be in one of the places. */
  readonly the: (line: string) => string
  /** Lines that nobody asked for and that no reason is given for, and reasons for lines that are nowhere. */
  readonly left: () => ReadonlyArray<string>
}

/** `reasons`: why a line is not typed. */
export const docLines = (places: ReadonlyArray<DocPlace>, reasons: Readonly<Record<string, string>> = {}): DocLines => {
  const all = new Set(places.flatMap(clusterLines))
  const used = new Set<string>()
  return {
    the: (line) => {
      if (!all.has(line)) throw new Error(`no page has \`${line}\``)
      used.add(line)
      return line
    },
    left: () => [
      ...[...all].filter((line) => !used.has(line) && reasons[line] === undefined),
      ...Object.keys(reasons).filter((line) => !all.has(line)),
    ],
  }
}
