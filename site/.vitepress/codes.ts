/** docs/errors.md has all codes; on the site each has a page, and the page of errors lists them. */
import { readFileSync } from 'node:fs'

export type CodePage = { readonly code: string; readonly title: string; readonly body: string }

const source = new URL('../../docs/errors.md', import.meta.url)

export const codePages = (): ReadonlyArray<CodePage> =>
  readFileSync(source, 'utf8')
    .split(/^## (?=DT\d{4}: )/m)
    .slice(1)
    .map((section) => {
      const [, code = '', title = '', body = ''] = /^(DT\d{4}): ([^\n]+)\n([^]*)$/.exec(section) ?? []
      return { code, title, body }
    })

/** `**Topic**: [DT1001](#dt1001-yaml-syntax) YAML syntax · …` → a heading and a list whose items have the code as id. */
export const listedCodes = (text: string): string =>
  text
    .slice(0, text.search(/^## DT\d{4}: /m))
    .replace('## By topic\n', '')
    .replace(/^\*\*([^*]+)\*\*: (.+)$/gm, (_, topic: string, codes: string) =>
      [
        `## ${topic}`,
        '',
        ...codes.split(' · ').map((item) => item.replace(/^\[DT(\d{4})\]\([^)]*\)/, '- [DT$1](/DT$1){#dt$1}')),
      ].join('\n'),
    )
