/** Licences of the bundled packages, which have to be distributed with them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.ts'

type Licensed = {
  readonly name: string
  readonly version: string
  readonly license?: string
  /** The older form of `license`. */
  readonly licenses?: ReadonlyArray<{ readonly type: string }>
}

const rule = '-'.repeat(80)

/** `node_modules/a/node_modules/@b/c/d.js` → `node_modules/a/node_modules/@b/c`. */
const folderOf = (input: string): string | undefined => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]

const read = (...path: ReadonlyArray<string>): string =>
  readFileSync(join(...path), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim()

/** Copyright comments at the head of the bundled files. */
const headsOf = (inputs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const heads = inputs.map((input) => /^(?:\/\/.*\n|\s*\n)+|^\s*\/\*[^]*?\*\//.exec(read(input))?.[0].trim() ?? '')
  return [...new Set(heads)].filter((head) => /copyright/i.test(head))
}

/** Its licence files, or else the section `License` of its README, or else the standard text with the copyrights. */
const textsOf = (folder: string, license: string, inputs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = readdirSync(folder).toSorted()
  const files = names.filter((file) => /^(?:licen[cs]e|copying|notice)(?:-\w+)?(?:\.(?:md|txt))?$/i.test(file))
  if (files.length > 0) return files.map((file) => read(folder, file))
  const [, section] = names.includes('README.md') ? read(folder, 'README.md').split(/^#+ Licen[cs]e.*$/m) : []
  if (section?.includes('Permission is hereby granted')) return [section.trim()]
  const heads = headsOf(inputs)
  if (license.includes('Apache-2.0') && heads.length > 0) return [...heads, read(root, 'LICENSE')]
  throw new Error(`${folder} is bundled and has no licence to pass on`)
}

const noticeOf = (folder: string, inputs: ReadonlyArray<string>): string => {
  const { licenses = [], name, version, ...rest }: Licensed = JSON.parse(read(folder, 'package.json'))
  const license = rest.license ?? licenses.map(({ type }) => type).join(', ')
  return [`${name} ${version} (${license})`, ...textsOf(folder, license, inputs)].join('\n\n')
}

/**
 * One notice per package in `inputs`, and those of packages that npm does not install (`further`), ordered by name. Throws
 * for a package without a licence.
 */
export const noticesOf = (inputs: ReadonlyArray<string>, further: ReadonlyArray<string> = []): string => {
  const folders = new Set(inputs.map(folderOf).filter((folder) => folder !== undefined))
  const notices = [...folders].map((folder) =>
    noticeOf(
      folder,
      inputs.filter((input) => folderOf(input) === folder),
    ),
  )
  const all = [...new Set([...notices, ...further])].toSorted()
  return `${['The following packages are part of the files in this folder.', ...all].join(`\n\n${rule}\n\n`)}\n`
}
