/** Files from packages that npm does not install here, such as those for other platforms: fetched once. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.ts'

/** `integrity`: the `dist.integrity` of `npm view NAME@VERSION`; a package with other content is rejected. */
export type Fetched = { readonly package: string; readonly version: string; readonly integrity: string }

const folder = join(root, '.cache')

const fetch = ({ integrity, package: name, version }: Fetched, path: string, target: string): void => {
  const temporary = mkdtempSync(join(folder, 'fetch-'))
  try {
    const pack = ['pack', '--silent', '--pack-destination', temporary, `${name}@${version}`]
    execFileSync('npm', pack, { timeout: 300_000, stdio: ['ignore', 'ignore', 'inherit'] })
    const archive = join(temporary, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`)
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (digest !== integrity) throw new Error(`${name}@${version} has other content than expected`)
    execFileSync('tar', ['-xzf', archive, '-C', temporary, `package/${path}`], { timeout: 120_000 })
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(temporary, 'package', path), target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The path of a file in the package. Throws when it cannot be fetched. */
export const fetchedFile = (wanted: Fetched, path: string): string => {
  const target = join(folder, `${wanted.package.replace('/', '-')}-${wanted.version}`, path)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(target)) fetch(wanted, path, target)
  return target
}
