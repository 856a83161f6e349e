/** The files of a release beside the executables. Needs `npm run build`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { root } from '../../scripts/command.ts'
import { sbomOf } from '../../scripts/release/sbom.ts'
import { sbomFindings } from '../../scripts/release/sbom-schema.ts'
import { writeImage, writeShare } from '../../scripts/release/share.ts'
import { nodeLicense } from '../../scripts/release/single.ts'
import { targets } from '../../scripts/release/targets.ts'
import { componentsOf, fill, withNode } from '../../scripts/release/text.ts'

const test = suite<{ folder: string }>('files of a release')
test.before.each((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'files-'))
})
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const text = (...path: ReadonlyArray<string>): string => readFileSync(join(...path), 'utf8')
const notices = text(root, 'dist/NOTICES.txt')

const sums = new Map(targets.map(({ name }) => [`devtool-${name}.tar.gz`, '']))

const hasLicences = (folder: string): void => {
  assert.match(text(folder, 'LICENSE'), 'Apache License')
  assert.match(text(folder, 'LICENSE.node'), 'Node.js is licensed for use as follows')
  assert.is(text(folder, 'NOTICES.txt'), notices)
}

test('an archive has man pages, completions, schemas, and the licences of all that is in it', ({ folder }) => {
  writeShare(folder)
  const share = join(folder, 'share')
  hasLicences(join(share, 'doc/devtool'))
  const { version } = JSON.parse(text(root, 'package.json'))
  const schemas = join(share, 'doc/devtool/schemas')
  for (const name of readdirSync(schemas)) assert.is(JSON.parse(text(schemas, name)).$comment, `devtool ${version}`)
  assert.equal(readdirSync(schemas), readdirSync(join(root, 'dist/schemas')))
  // Where the formula takes the files from.
  for (const [, path = ''] of fill('devtool.rb', { version, url: '', image: '', sums }).matchAll(/"(share\/[^"*]*)/g))
    assert.ok(existsSync(join(folder, path)), path)
})

test('the container image has the licences of all that is in it', ({ folder }) => {
  const program = join(folder, 'program')
  writeFileSync(program, '')
  const image = join(folder, 'image')
  writeImage(image, program)
  hasLicences(join(image, 'licences'))
  assert.match(text(image, 'Dockerfile'), 'COPY licences/ /usr/local/share/doc/devtool/\n')
  for (const name of ['devtool', 'devtool-ci', 'compose.yaml']) assert.ok(existsSync(join(image, name)), name)
})

test('the container image is made from the base that the release names', ({ folder }) => {
  const program = join(folder, 'program')
  writeFileSync(program, '')
  const base = `debian:12-slim@sha256:${'0'.repeat(64)}`
  writeImage(folder, program, base)
  assert.match(text(folder, 'Dockerfile'), `\nARG BASE=${base}\nFROM \${BASE}\n`)
  assert.is(parse(text(folder, 'compose.yaml')).services.devtool.build.args.BASE, `\${DEVTOOL_BASE:-${base}}`)
})

test('the notices of a release include those of Node', () => {
  const all = withNode(notices, text(nodeLicense()))
  assert.ok(all.startsWith(notices.trimEnd()))
  assert.match(all, /\nnode \d+\.\d+\.\d+ \(MIT\), only in the single executables\n\nNode\.js is licensed/)
})

test('the SBOM is one by the schema of CycloneDX 1.6', () => {
  const file = { name: 'devtool-1.2.3.tgz', sha256: '0'.repeat(64) }
  const released = { name: 'devtool', version: '1.2.3', license: 'Apache-2.0', date: '2026-01-02T03:04:05Z' }
  const sbom = sbomOf({ ...released, files: [file] }, componentsOf(notices))
  assert.equal(sbomFindings(sbom), [])
  const wrong = sbom.replace('"library"', '"book"').replace('02T03:04:05Z', '2T3:4:5')
  assert.equal(sbomFindings(wrong), [
    '/metadata/timestamp must match format "date-time"',
    '/components/0/type must be equal to one of the allowed values',
  ])
})

test('an image is only pushed under a name, and nothing is made before', ({ folder }) => {
  const args = ['--import', 'tsx', 'scripts/release.ts', '--push', `--out=${folder}`]
  writeFileSync(join(folder, 'kept'), '')
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, RELEASE_IMAGE: '' },
    encoding: 'utf8',
  })
  assert.equal([status, stderr], [1, 'release: --push needs RELEASE_IMAGE, and the single executable for linux-x64\n'])
  assert.equal(readdirSync(folder), ['kept'])
})

test.run()
