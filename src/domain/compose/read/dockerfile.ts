/** What a Dockerfile says: the ports that a stage and the stages below it expose, and the images it names. */

import { withoutHereDocuments } from '../../build/dockerfile-text.ts'
import { type Source, type Span, source as sourceOf } from '../../text/source.ts'
import type { Port } from '../model.ts'

/** A port in an EXPOSE instruction. */
type Exposed = Pick<Port, 'target' | 'protocol' | 'at'>

type Stage = { readonly name: string; readonly base: string; readonly exposed: Array<Exposed> }

const fromLine = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i

/** Logical lines with their place: continuations joined, comments and blank lines left out. */
const instructions = (source: Source): ReadonlyArray<{ readonly text: string; readonly at: Span }> => {
  const found: Array<{ text: string; at: Span }> = []
  let text = ''
  let start = 0
  let offset = 0
  const lines = source.text.split('\n')
  const contents = withoutHereDocuments(lines.map((line) => line.replace(/\r$/, '')))
  for (const [index, content] of contents.entries()) {
    const isComment = /^\s*(#|$)/.test(content)
    if (!isComment) {
      if (text === '') start = offset + content.search(/\S/)
      const continues = /[\\`]\s*$/.test(content)
      text += `${content.replace(/[\\`]\s*$/, '')} `
      if (!continues) {
        found.push({ text: text.trim(), at: { source, start, end: offset + content.length } })
        text = ''
      }
    }
    offset += (lines[index] ?? '').length + 1
  }
  return found
}

const exposedPorts = (words: string, at: Span): Stage['exposed'] =>
  words.split(/\s+/).flatMap((word) => {
    const [, first, last, protocol = 'tcp'] = /^"?(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp|sctp))?"?$/i.exec(word) ?? []
    const [from, to] = [Number(first), Number(last ?? first)]
    if (first === undefined || from < 1 || to > 65_535 || to < from || to - from >= 100) return []
    const upper = protocol.toUpperCase()
    const known = upper === 'UDP' || upper === 'SCTP' ? upper : 'TCP'
    return Array.from({ length: to - from + 1 }, (_, i) => ({ target: from + i, protocol: known, at }) as const)
  })

/**
 * Ports of the stage `target`, or of the last one. Only numbers count, since variables in EXPOSE have no value here. A
 * text that is not a Dockerfile exposes nothing.
 */
export const exposedBy = (source: Source, target?: string): ReadonlyArray<Exposed> => {
  const stages: Array<Stage> = []
  for (const { text, at } of instructions(source)) {
    const [, from, name = ''] = fromLine.exec(text) ?? []
    if (from !== undefined) stages.push({ name: name.toLowerCase(), base: from.toLowerCase(), exposed: [] })
    const [, words] = /^EXPOSE\s+(.+)/i.exec(text) ?? []
    if (words !== undefined) for (const one of exposedPorts(words, at)) stages.at(-1)?.exposed.push(one)
  }
  const byName = (name: string): Stage | undefined =>
    stages.find((stage, i) => stage.name === name || String(i) === name)
  let stage = target === undefined ? stages.at(-1) : byName(target.toLowerCase())
  const ports: Array<Exposed> = []
  const seen = new Set<Stage>()
  while (stage !== undefined && !seen.has(stage)) {
    seen.add(stage)
    for (const one of stage.exposed) ports.push(one)
    stage = byName(stage.base)
  }
  return ports
}

/** Images in FROM, COPY --from and RUN --mount=from, except those with variables in their names. */
export const imagesNamedIn = (text: string): ReadonlyArray<string> => {
  const stages = new Set<string>()
  const named = instructions(sourceOf('', '.', text)).flatMap(({ text: line }) => {
    const [, base, stage] = fromLine.exec(line) ?? []
    const [, copied] = /^COPY\s+(?:--\S+\s+)*?--from=(\S+)/i.exec(line) ?? []
    const mounts = /^RUN\s/i.test(line) ? [...line.matchAll(/--mount=(\S+)/g)] : []
    const mounted = mounts.map(([, options = '']) => /(?:^|,)from=([^,]+)/.exec(options)?.[1])
    // A stage exists only from its own line on: an earlier line with the same name means an image.
    const found = [base, copied, ...mounted].filter((name) => name !== undefined && !stages.has(name.toLowerCase()))
    if (stage !== undefined) stages.add(stage.toLowerCase())
    return found
  })
  return named.flatMap((name) => (name === undefined || /^\d+$|\$/.test(name) ? [] : [name]))
}
