/** How the pages of the repository, which are written for any reader of Markdown, are shown on the site. */
import { join, relative } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { listedCodes } from './codes.ts'
import { isOfSource, linkTo } from './routes.ts'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Rule = Parameters<Markdown['core']['ruler']['push']>[1]
type State = Parameters<Rule>[0]

/** As GitHub does it, so that a link with an anchor works in both places. */
export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const root = join(import.meta.dirname, '../..')

/** The file a page is made of, relative to the repository; each page of a code is a part of docs/errors.md. */
const sourceOf = ({ env }: State): string => {
  const file = relative(root, String(env.realPath ?? env.path ?? ''))
  return /\/DT\d{4}\.md$/.test(file) ? 'docs/errors.md' : file
}

/** All codes in one text: not one of the pages that are made of it. */
const isErrors = (state: State): boolean =>
  sourceOf(state) === 'docs/errors.md' && state.src.includes('\n## By topic\n')

const links: Rule = (state) => {
  const source = sourceOf(state)
  for (const block of state.tokens) {
    let isKept = true
    const kept = block.children?.filter((token) => {
      if (token.type === 'link_close') return isKept
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null) return true
      isKept = !isOfSource(source, href)
      if (isKept) token.attrSet('href', linkTo(source, href))
      return isKept
    })
    block.children = kept ?? null
  }
}

const isCommands = (text: string): boolean =>
  /^(?:devtool|npm|npx|kubectl|ssh|sh|curl|git|export|source|mkdir|cd) /.test(text)

/** A block without a language, indented or fenced, is a session of a shell if it shows a prompt, or else perhaps commands. */
const shells: Rule = (state) => {
  for (const token of state.tokens) {
    if (token.type === 'code_block') token.type = 'fence'
    if (token.type !== 'fence' || !['', 'sh'].includes(token.info)) continue
    if (/^\$ /m.test(token.content)) token.info = 'shellsession'
    else if (isCommands(token.content)) token.info = 'sh'
  }
}

/** `services.*.ports[]` and `target` → `services.ports.target` */
const fieldId = (section: string, field: string): string =>
  `${section === 'Top level' ? '' : `${section}.`}${field}`.replaceAll(/\.\*|\[\]/g, '')

/** A row of a table of fields has the path of its field as id, and links to itself. */
const fields: Rule = (state) => {
  const taken = new Set(state.tokens.filter(({ type }) => type === 'heading_open').map((token) => token.attrGet('id')))
  let section = ''
  state.tokens.forEach((token, i) => {
    const inline = state.tokens[i + 1]
    if (token.type === 'heading_open') section = (inline?.content ?? '').replaceAll('`', '')
    const [code, ...others] = inline?.children ?? []
    const isFirst = state.tokens[i - 1]?.type === 'tr_open'
    if (
      token.type !== 'td_open' ||
      !isFirst ||
      code?.type !== 'code_inline' ||
      others.length > 0 ||
      inline === undefined
    )
      return
    const id = fieldId(section, code.content)
    if (taken.has(id)) return
    taken.add(id)
    state.tokens[i - 1]?.attrSet('id', id)
    const open = new state.Token('link_open', 'a', 1)
    open.attrs = [
      ['class', 'field'],
      ['href', `#${id}`],
    ]
    inline.children = [open, code, new state.Token('link_close', 'a', -1)]
  })
}

/** Wide tables scroll on their own, also by keyboard. */
const tables = (md: Markdown): void => {
  md.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0">\n<table>\n'
  md.renderer.rules['table_close'] = () => '</table>\n</div>\n'
}

const hasFields = (state: State): boolean => /^docs\/(?:compose|manifest)\.md$/.test(sourceOf(state))

export const extend = (md: Markdown): void => {
  md.core.ruler.before('normalize', 'codes', (state) => {
    if (isErrors(state)) state.src = listedCodes(state.src)
  })
  md.core.ruler.push('shells', shells)
  md.core.ruler.push('fields', (state) => {
    if (hasFields(state)) fields(state)
  })
  md.core.ruler.push('site-links', links)
  tables(md)
}
