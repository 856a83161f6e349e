/**
 * Builds everything that is published for a version, in release/: `tsx scripts/release.ts [--only=linux-x64,...]
 * [--out=FOLDER] [--push]`. With RELEASE_URL, the address at which the folder will be published, it also creates the files that
 * refer to it; RELEASE_BASE is what the container image is made from. Equal sources give equal bytes; SOURCE_DATE_EPOCH replaces the date of the commit.
 * With --push the container image is built and pushed as RELEASE_IMAGE.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { binPath, root, runNode } from './command.ts'
import { commit, date, epoch } from './origin.ts'
import { megabytes, writeArchive } from './release/archive.ts'
import { notesOf } from './release/changes.ts'
import { headerFindings } from './release/headers.ts'
import { pushImage } from './release/push.ts'
import { sbomOf } from './release/sbom.ts'
import { sbomFindings } from './release/sbom-schema.ts'
import { usualBase, writeImage, writeShare } from './release/share.ts'
import { makeSingles, nodeLicense } from './release/single.ts'
import { nodeVersion, type Target, targetNamed, targets } from './release/targets.ts'
import { componentsOf, imageName, installFiles, originOf, releaseUrl, withNode } from './release/text.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const out = resolve(flag('out') ?? join(root, 'release'))
const work = join(out, '.work')
const wanted = flag('only')?.split(',').map(targetNamed) ?? targets
const { license, version }: { readonly license: string; readonly version: string } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const seconds = epoch()
const image = imageName(process.env['RELEASE_IMAGE'])
const isPush = process.argv.includes('--push')
const base = imageName(process.env['RELEASE_BASE'], 'RELEASE_BASE') || usualBase

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const build = async (): Promise<void> => {
  const { output, status } = await runNode([binPath('tsx'), 'scripts/build.ts', '--quiet'])
  if (status !== 0) throw new Error(output)
}

const packNpm = (): void => {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', out], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }]: [{ readonly filename: string }] = JSON.parse(packed)
  say(filename)
}

const pack = (target: Target, program: string): void => {
  const findings = headerFindings(target, readFileSync(program))
  if (findings.length > 0) throw new Error(`${target.name}: ${findings.join(', ')}`)
  const folder = join(work, 'archive')
  rmSync(folder, { recursive: true, force: true })
  writeShare(folder)
  mkdirSync(join(folder, 'bin'))
  renameSync(program, join(folder, 'bin', target.program))
  const archive = join(out, `devtool-${version}-${target.name}.${target.archive}`)
  const size = writeArchive(archive, folder, seconds ?? 0)
  say(`devtool-${version}-${target.name}.${target.archive}, ${megabytes(size)} MB`)
  if (target.name === 'linux-x64') writeImage(join(out, 'image'), join(folder, 'bin', target.program), base)
}

const writeTexts = (sums: ReadonlyMap<string, string>, url: string | undefined): void => {
  const [changes, guide] = ['CHANGELOG.md', 'docs/release.md'].map((page) => readFileSync(join(root, page), 'utf8'))
  writeFileSync(join(out, 'CHANGES.md'), notesOf(changes ?? '', guide ?? '', version, base))
  const notices = readFileSync(join(root, 'dist/NOTICES.txt'), 'utf8')
  writeFileSync(join(out, 'NOTICES.txt'), withNode(notices, readFileSync(nodeLicense(), 'utf8')))
  const node = { name: 'node', version: nodeVersion, license: 'MIT', purl: `pkg:github/nodejs/node@v${nodeVersion}` }
  const files = [...sums].map(([name, sum]) => ({ name, sha256: sum }))
  const released = { name: 'devtool', version, license, date: date() ?? '1970-01-01T00:00:00Z', files }
  const components = [...componentsOf(notices), node]
  const sbom = sbomOf(released, components)
  const findings = sbomFindings(sbom)
  if (findings.length > 0) throw new Error(`the SBOM is not one: ${findings.join(', ')}`)
  writeFileSync(join(out, `devtool-${version}.cdx.json`), sbom)
  const made = installFiles({ version, url, image, sums }, wanted.length === targets.length)
  for (const [name, text] of made) writeFileSync(join(out, name), text)
  if (made.size === 0)
    say('without RELEASE_URL no install.sh, Homebrew formula, Scoop manifest and latest.json are made')
}

/** The files of this run, sorted, without folders. */
const files = (): ReadonlyArray<string> =>
  readdirSync(out, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    .toSorted()

const main = async (): Promise<void> => {
  const url = releaseUrl(process.env['RELEASE_URL'])
  if (isPush && (image === '' || !wanted.some(({ name }) => name === 'linux-x64')))
    throw new Error('--push needs RELEASE_IMAGE, and the single executable for linux-x64')
  rmSync(out, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  await build()
  packNpm()
  await makeSingles(wanted, work, pack)
  writeTexts(new Map(files().map((name) => [name, sha256(join(out, name))])), url)
  rmSync(work, { recursive: true, force: true })
  const sums = files().map((name) => `${sha256(join(out, name))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  if (isPush) pushImage(join(out, 'image'), image)
  say(`${sums.length + 1} files are in ${out}, made from ${originOf(commit())}`)
}

try {
  await main()
} catch (cause) {
  process.stderr.write(`release: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}
