/** What a use case leaves to be printed. */
import { textOf } from '../../domain/compose/files.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { lineText, type Source, source } from '../../domain/text/source.ts'
import type { Store } from '../project/asking.ts'

/**
 * `output` is data, in pieces when it is long: it is printed even beside errors, so a use case that failed gives none unless the failure is what
 * was asked for (a diff). `said` are lines about what was done. `line` finds the text behind a place. `isShown`: false
 * when the output holds the findings already.
 */
export type Outcome = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly output?: string | Iterable<string>
  readonly said?: ReadonlyArray<string>
  readonly isShown?: boolean
  readonly line?: (file: string, line: number) => string | undefined
}

/** Lines of the files that were read, for excerpts. */
export const linesOf = ({ contents }: Store): ((file: string, line: number) => string | undefined) => {
  const sources = new Map<string, Source | undefined>()
  const open = (file: string): Source | undefined => {
    const content = contents.get(file)
    const text = content?._tag === 'File' ? textOf(content.bytes) : undefined
    return text === undefined ? undefined : source(file, '.', text)
  }
  return (file, line) => {
    if (!sources.has(file)) sources.set(file, open(file))
    const found = sources.get(file)
    return found === undefined || line > found.lineStarts.length ? undefined : lineText(found, line)
  }
}

/** The same, and lines of texts that were not read with them: Dockerfiles. */
export const withTexts = (line: Required<Outcome>['line'], texts: ReadonlyMap<string, string>): typeof line => {
  const sources = new Map([...texts].map(([file, text]) => [file, source(file, '.', text)]))
  return (file, number) => {
    const own = sources.get(file)
    return own === undefined || number > own.lineStarts.length ? line(file, number) : lineText(own, number)
  }
}
