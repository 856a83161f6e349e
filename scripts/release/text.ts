/** Text files of a release, for people and for programs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReleaseUrl } from '../../src/domain/platform/releases.ts'
import { root } from '../command.ts'
import type { Component } from './sbom.ts'
import { nodeVersion } from './targets.ts'

/**
 * What RELEASE_URL says, without a slash at its end: undefined when it is not set. Scripts contain it, so it is
 * restricted as the address is that a platform names; tests release to this machine.
 */
export const releaseUrl = (given = ''): string | undefined => {
  const url = given.replace(/\/$/, '')
  if (url === '') return undefined
  if (isReleaseUrl(url.replace(/^http:\/\/127\.0\.0\.1(?=[:/])/, 'https://127.0.0.1'))) return url
  throw new Error(`RELEASE_URL: "${given}" must be the https address of the folder of this release`)
}

/** What RELEASE_IMAGE says: '' when it is not set, since a name of ours in a public registry could be anybody's. */
export const imageName = (given = '', variable = 'RELEASE_IMAGE'): string => {
  if (/^[\w.:/@-]*$/.test(given)) return given
  throw new Error(`${variable}: "${given}" is not the name of an image`)
}

/** What a release is made from; a commit that ends with `-dirty` is not what was released. */
export const originOf = (commit: string | undefined): string => {
  if (commit === undefined) return 'files of no commit'
  if (!commit.endsWith('-dirty')) return `commit ${commit}`
  return `files that are not committed. Do not publish them: nobody can make them again, and their version says ${commit}`
}

/** The packages that the notices are about: each begins with `name version (licence)`. */
export const componentsOf = (notices: string): ReadonlyArray<Component> => {
  const all = notices.split(/^-{80}$/m).flatMap((notice) => {
    const [, name, version, license] = /^(\S+) (\d\S*) \((.+)\)$/m.exec(notice.trim().split('\n', 1)[0] ?? '') ?? []
    return name === undefined || version === undefined || license === undefined ? [] : [{ name, version, license }]
  })
  // npm may have installed one twice.
  return [...new Map(all.map((one) => [`${one.name}@${one.version}`, one])).values()]
}

/** The notices of a release as a whole: of the packages, and of the Node in the executables. */
export const withNode = (notices: string, license: string): string =>
  `${notices.trimEnd()}\n\n${'-'.repeat(80)}\n\nnode ${nodeVersion} (MIT), only in the single executables\n\n${license.trim()}\n`

export type Filled = {
  readonly version: string
  /** The address of the files of this release. */
  readonly url: string
  /** '' for none. */
  readonly image: string
  /** Checksums by the names of files. */
  readonly sums: ReadonlyMap<string, string>
}

const sumOf = ({ sums }: Filled, target: string): string => {
  const sum = [...sums].find(([name]) => name.includes(`-${target}.`))?.[1]
  if (sum === undefined) throw new Error(`there is no archive for ${target}`)
  return sum
}

const lines = ({ sums }: Filled): string => [...sums].map(([name, sum]) => `${sum}  ${name}`).join('\n')

/** A file of integrations/install with `@VERSION@`, `@URL@`, `@IMAGE@`, `@SUMS@` and `@SHA256 target@` filled in. */
export const fill = (name: string, filled: Filled): string =>
  readFileSync(join(root, 'integrations/install', name), 'utf8').replaceAll(
    /@(VERSION|URL|IMAGE|SUMS|SHA256 ([\w-]+))@/g,
    (_, what: string, target: string) => {
      if (what === 'VERSION') return filled.version
      if (what === 'URL') return filled.url
      if (what === 'IMAGE') return filled.image
      return what === 'SUMS' ? lines(filled) : sumOf(filled, target)
    },
  )

/**
 * The files that contain the address of the release: none without one. Only a release for all platforms has the files
 * that name all archives.
 */
export const installFiles = (
  { url, ...rest }: Omit<Filled, 'url'> & { readonly url: string | undefined },
  isWhole: boolean,
): ReadonlyMap<string, string> => {
  if (url === undefined) return new Map()
  const names = ['install.sh', ...(isWhole ? ['devtool.rb', 'devtool.json'] : [])]
  const latest = `${JSON.stringify({ version: rest.version, url })}\n`
  return new Map([...names.map((name) => [name, fill(name, { ...rest, url })] as const), ['latest.json', latest]])
}
