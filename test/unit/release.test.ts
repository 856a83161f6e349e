/** What a release is made of, besides the executables themselves. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { manPages } from '../../scripts/man.ts'
import { date, epoch } from '../../scripts/origin.ts'
import { writeArchive } from '../../scripts/release/archive.ts'
import { changesOf, notesOf } from '../../scripts/release/changes.ts'
import { sbomOf } from '../../scripts/release/sbom.ts'
import { targets } from '../../scripts/release/targets.ts'
import { componentsOf, fill, imageName, installFiles, originOf, releaseUrl } from '../../scripts/release/text.ts'
import { installed } from '../../src/cli/installed.ts'

const test = suite<{ folder: string }>('release')
test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'release-'))
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const commands = installed.map(({ command }) => command)

test('there is a man page for each command in the help, and for the program', () => {
  const pages = manPages(commands, '1.2.3', '2026-01-02T03:04:05Z')
  const shown = commands.filter(({ isHidden = false }) => !isHidden)
  assert.equal(
    [...pages.keys()].toSorted(),
    ['devtool.1', ...shown.map(({ name }) => `devtool-${name.replaceAll(' ', '-')}.1`)].toSorted(),
  )
})

test('a man page says what the help says: usage, flags, examples', () => {
  const page = manPages(commands, '1.2.3', '2026-01-02T03:04:05Z').get('devtool-deploy.1') ?? ''
  assert.match(page, '.TH "DEVTOOL\\-DEPLOY" 1 "2026-01-02" "devtool 1.2.3"')
  assert.match(page, '.SH SYNOPSIS\ndevtool deploy [flags]')
  assert.match(page, /\.SH "EXAMPLES"\n\.nf\n/)
  for (const flag of Object.values(commands.find(({ name }) => name === 'deploy')?.flags ?? {})) {
    if (flag.unused === undefined) assert.match(page, (flag.names.at(-1) ?? '').replaceAll('-', '\\-'))
  }
})

test('the page of the program has its groups of commands below one section, and a date that programs read', () => {
  const page = manPages(commands, '1.2.3', '2026-01-02T03:04:05Z').get('devtool.1') ?? ''
  assert.match(page, /^\.TH "DEVTOOL" 1 "2026-01-02" /)
  const sections = [...page.matchAll(/^\.SH "?([A-Z ]+)"?$/gm)].map(([, title]) => title)
  assert.equal(sections, ['NAME', 'SYNOPSIS', 'COMMANDS', 'NOTES', 'SEE ALSO'])
  assert.match(page, '.SH COMMANDS\n.SS "ENVIRONMENT"\n')
})

test('no line of a man page is mistaken for a troff request', () => {
  for (const [name, page] of manPages(commands, '1.2.3', '2026-01-02T03:04:05Z')) {
    const requests = new Set([...page.matchAll(/^[.'](.*)/gm)].map(([, line = '']) => line.split(' ', 1)[0]))
    for (const request of requests)
      assert.ok(['TH', 'nh', 'ad', 'SH', 'SS', 'PP', 'nf', 'fi', 'BR'].includes(request ?? ''), `${name}: ${request}`)
  }
})

test('man divides no word of a page', () => {
  for (const [name, page] of manPages(commands, '1.2.3', '2026-01-02T03:04:05Z'))
    assert.match(page, /^\.TH .*\n\.nh\n\.ad l\n/, name)
})

test('archives of equal files have equal bytes, whenever and with whatever umask they were written', ({ folder }) => {
  const packed = ['first', 'second'].map((name, index) => {
    const from = join(folder, name)
    const umask = process.umask(index === 0 ? 0o022 : 0o077)
    mkdirSync(join(from, 'bin'), { recursive: true })
    const files = index === 0 ? ['bin/b', 'a'] : ['a', 'bin/b']
    for (const file of files) writeFileSync(join(from, file), `content of ${file}`, { mode: 0o755 })
    process.umask(umask)
    utimesSync(join(from, 'a'), 1_000 + index, 1_000 + index)
    return ['tar.gz', 'zip'].map((ending) => {
      const path = join(folder, `${name}.${ending}`)
      writeArchive(path, from, 1_700_000_000)
      return readFileSync(path)
    })
  })
  assert.equal(packed[0], packed[1])
  const listed = execFileSync('tar', ['--list', '--verbose', '--utc', '--file', join(folder, 'first.tar.gz')], {
    encoding: 'utf8',
  })
  assert.match(listed, /^drwxr-xr-x 0\/0 +0 2023-11-14 22:13 \.\/bin\/$/m)
  assert.match(listed, /^-rwxr-xr-x 0\/0 +16 2023-11-14 22:13 \.\/bin\/b$/m)
})

test('an archive that is too large to download is not released', ({ folder }) => {
  const from = join(folder, 'large')
  mkdirSync(from)
  writeFileSync(join(from, 'noise'), randomBytes(200_000))
  for (const ending of ['tar.gz', 'zip']) {
    const path = join(folder, `large.${ending}`)
    assert.ok(writeArchive(path, from, 0) > 200_000)
    assert.throws(() => writeArchive(path, from, 0, 100_000), `large.${ending} has 0.2 MB, and may have 0.1`)
  }
})

test('the date of a release is SOURCE_DATE_EPOCH, or that of the commit', () => {
  const { SOURCE_DATE_EPOCH: given } = process.env
  try {
    process.env['SOURCE_DATE_EPOCH'] = '1700000000'
    assert.equal([epoch(), date()], [1_700_000_000, '2023-11-14T22:13:20Z'])
    delete process.env['SOURCE_DATE_EPOCH']
    const committed = execFileSync('git', ['show', '--no-patch', '--format=%ct'], { cwd: root, encoding: 'utf8' })
    assert.is(epoch(), Number(committed))
  } finally {
    if (given !== undefined) process.env['SOURCE_DATE_EPOCH'] = given
  }
})

test('a release of files that are not committed says so', () => {
  assert.is(originOf('0123abc'), 'commit 0123abc')
  assert.match(originOf('0123abc-dirty'), /^files that are not committed\. Do not publish them: .*0123abc-dirty$/)
})

test('the SBOM has what CycloneDX 1.6 requires, and each bundled package once', () => {
  const components = componentsOf(readFileSync(join(root, 'dist/NOTICES.txt'), 'utf8'))
  const released = { name: 'devtool', version: '1.2.3', license: 'Apache-2.0', date: '2026-01-02T03:04:05Z', files: [] }
  const text = sbomOf(released, components)
  assert.is(sbomOf(released, components.toReversed()), text)
  const sbom = JSON.parse(text)
  assert.is(sbom.bomFormat, 'CycloneDX')
  assert.is(sbom.specVersion, '1.6')
  assert.is(sbom.version, 1)
  assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const all = [sbom.metadata.component, ...sbom.components]
  for (const { name, type } of all) assert.ok(name.length > 0 && ['application', 'library', 'file'].includes(type))
  const refs = all.map((one) => one['bom-ref'])
  assert.is(new Set(refs).size, refs.length)
  for (const { dependsOn, ref } of sbom.dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(refs.includes(one), one)
  for (const name of ['fp-ts', 'io-ts', 'js-yaml', 'ssh2'])
    assert.ok(
      refs.some((ref: string) => ref.startsWith(`pkg:npm/${name}@`)),
      name,
    )
})

test('the changes of a version are its section, below the version alone', () => {
  const text = '# Changes\n\n## Unreleased (10.1.0)\n\n- new\n\n## 0.1.0 (2026-01-02)\n\n- old\n'
  assert.is(changesOf(text, '10.1.0'), '## 10.1.0\n\n- new\n')
  assert.is(changesOf(text, '0.1.0'), '## 0.1.0\n\n- old\n')
  assert.throws(() => changesOf(text, '1.0'), 'no section about 1.0')
})

test('the notes of a release have no links to pages that are not published with them', () => {
  const changes =
    '## 1.0\n\n- [docs/ci.md](docs/ci.md), [a table](docs/up.md#needs), [the spec](https://example.com/a#b)\n'
  const notes = notesOf(changes, '## What one machine cannot make\n\n[Above](#above)\n', '1.0', 'debian')
  assert.match(notes, '- docs/ci.md, a table (docs/up.md), [the spec](https://example.com/a#b)\n')
  assert.match(notes, '\nAbove\n')
})

test('the notes of this release end with what one machine cannot make', () => {
  const [changes = '', guide = '', manifest = ''] = ['CHANGELOG.md', 'docs/release.md', 'package.json'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  )
  const { version } = JSON.parse(manifest)
  const notes = notesOf(changes, guide, version, 'debian:12-slim')
  assert.ok(notes.startsWith(`## ${version}\n\n- `))
  const [, lacking = ''] = notes.split('\n## What one machine cannot make\n')
  for (const part of ['Signatures', 'Code caches of other platforms']) assert.match(lacking, `- **${part}.** `)
  assert.not.match(lacking, '\n## ')
  assert.match(notes, '\nThe container image is made from `debian:12-slim`, as it is when the image is built.\n')
  const base = `debian:12-slim@sha256:${'0'.repeat(64)}`
  assert.match(notesOf(changes, guide, version, base), `\nThe container image is made from \`${base}\`.\n`)
})

const sums = new Map(
  targets.map(({ archive, name }, index) => [`devtool-1.2.3-${name}.${archive}`, String(index).repeat(64)]),
)
const filled = { version: '1.2.3', url: 'https://example.com/1.2.3', image: 'example.com/devtool:1.2.3', sums }

test('formula and manifest name the archives of their platforms with their checksums', () => {
  const formula = fill('devtool.rb', filled)
  assert.match(
    formula,
    `url "https://example.com/1.2.3/devtool-1.2.3-darwin-arm64.tar.gz"\n      sha256 "${'2'.repeat(64)}"`,
  )
  const { architecture, version } = JSON.parse(fill('devtool.json', filled))
  assert.is(version, '1.2.3')
  const hash = '4'.repeat(64)
  assert.equal(architecture['64bit'], { url: 'https://example.com/1.2.3/devtool-1.2.3-win32-x64.zip', hash })
  for (const name of ['devtool.rb', 'devtool.json', 'install.sh']) assert.not.match(fill(name, filled), /@[A-Z]/)
})

test('only a release with an address has the files that contain it', () => {
  assert.is(installFiles({ ...filled, url: releaseUrl(undefined) }, true).size, 0)
  assert.is(installFiles({ ...filled, url: releaseUrl('') }, true).size, 0)
  const made = installFiles({ ...filled, url: releaseUrl('https://example.com/1.2.3/') }, true)
  assert.equal([...made.keys()], ['install.sh', 'devtool.rb', 'devtool.json', 'latest.json'])
  assert.is(made.get('latest.json'), '{"version":"1.2.3","url":"https://example.com/1.2.3"}\n')
  assert.equal([...installFiles(filled, false).keys()], ['install.sh', 'latest.json'])
})

test('the address of a release is one that scripts can contain', () => {
  assert.is(releaseUrl('http://127.0.0.1:8099/devtool'), 'http://127.0.0.1:8099/devtool')
  for (const url of [
    'http://example.com/1.2.3',
    'example.com',
    "https://example.com/'$(id)'",
    'http://127.0.0.1.example.com',
  ])
    assert.throws(() => releaseUrl(url), 'must be the https address of the folder of this release', url)
})

test('no image is named that is not given', () => {
  assert.is(imageName(undefined), '')
  assert.is(imageName('registry.example.com:5000/devtool:1.2.3'), 'registry.example.com:5000/devtool:1.2.3')
  assert.throws(() => imageName("x'$(id)'"), 'is not the name of an image')
})

test.run()
