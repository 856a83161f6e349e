/** What the search finds. VitePress looks for a file of each page, and the pages of codes have none. */
import { basename } from 'node:path'
import { codePages } from './codes.ts'

const words = (body: string): string => body.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/[`*]|\]\([^)]*\)/g, '')

const section = (title: string, text: string) => [{ anchor: '', titles: [title], text }]

/** Of the list of codes only its name: it would be found before each of the pages that it leads to. */
const sections = {
  'errors.md': section('Codes', ''),
  ...Object.fromEntries(
    codePages().map(({ body, code, title }) => [`${code}.md`, section(`${code}: ${title}`, words(body))]),
  ),
}

/** Without a type: `undefined` leaves the page to VitePress, which its types do not say. */
export const sectionsOf = (path: string) => Reflect.get(sections, basename(path))
