/** What `npm pack` makes, installed elsewhere. Needs `npm run build`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { importsOf, listFiles, parse } from '../../scripts/imports.ts'
import { blocksIn, typedIn } from '../support/cli/doc-commands.ts'

type Context = { folder: string; installed: string; packed: string }
const test = suite<Context>('packed')

const npm = (args: ReadonlyArray<string>, cwd: string): string =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', stdio: 'pipe' })

test.before((world) => {
  world.folder = mkdtempSync(join(tmpdir(), 'packed-'))
  const [{ filename }] = JSON.parse(
    npm(['pack', '--ignore-scripts', '--json', '--pack-destination', world.folder], root),
  )
  world.packed = join(world.folder, filename)
  writeFileSync(join(world.folder, 'package.json'), '{}')
  npm(['install', '--omit=optional', world.packed], world.folder)
  world.installed = join(world.folder, 'node_modules')
})
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

test('the packed command runs after npm install', ({ folder, installed }) => {
  writeFileSync(join(folder, 'compose.yaml'), 'name: shop\nservices:\n  web:\n    image: nginx\n')
  const printed = execFileSync(join(installed, '.bin/devtool'), ['deploy', '--dry-run'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache') },
    stdio: 'pipe',
  })
  assert.match(printed, 'kind: Deployment')
})

test('npx runs the packed file', ({ folder, packed }) => {
  const elsewhere = join(folder, 'npx')
  mkdirSync(elsewhere)
  const file = basename(packed)
  copyFileSync(packed, join(elsewhere, file))
  const env = { ...process.env, npm_config_cache: join(elsewhere, 'cache') }
  const args = ['--yes', '--offline', `./${file}`, 'version']
  const printed = execFileSync('npx', args, { cwd: elsewhere, encoding: 'utf8', env, stdio: 'pipe' })
  assert.is(file, `devtool-${printed.trim()}.tgz`)
})

test('installed globally, the command runs, and man finds a page for each command', ({ folder, packed }) => {
  const prefix = join(folder, 'global')
  npm(['install', '--global', '--omit=optional', '--prefix', prefix, packed], folder)
  const env = { PATH: process.env['PATH'] }
  const printed = execFileSync(join(prefix, 'bin/devtool'), ['version'], { encoding: 'utf8', env })
  assert.is(basename(packed), `devtool-${printed.trim()}.tgz`)
  const pages = readdirSync(join(prefix, 'share/man/man1')).toSorted()
  assert.equal(pages, readdirSync(join(root, 'dist/man')).toSorted())
  assert.match(readFileSync(join(prefix, 'share/man/man1/devtool-deploy.1'), 'utf8'), '.TH "DEVTOOL\\-DEPLOY" 1 ')
})

test('installed as the tutorial says, without root, devtool is in ~/.local/bin', ({ folder, packed }) => {
  const home = join(folder, 'home')
  mkdirSync(home)
  const line = blocksIn('docs/tutorial.md', '1. Install')
    .flatMap(typedIn)
    .find((typed) => typed.startsWith('npm install'))
  const env = { ...process.env, HOME: home, npm_config_offline: 'true', npm_config_omit: 'optional' }
  execFileSync('sh', ['-ec', `${line}`], { cwd: folder, env, stdio: 'pipe' })
  const printed = execFileSync(join(home, '.local/bin/devtool'), ['version'], { encoding: 'utf8', env, stdio: 'pipe' })
  assert.is(basename(packed), `devtool-${printed.trim()}.tgz`)
})

test('the package contains the server of the platform, which reports missing settings', ({ folder, installed }) => {
  const env = { PATH: process.env['PATH'], HOME: folder }
  const { status, stderr } = spawnSync('node', [join(installed, 'devtool/dist/platform/api.cjs')], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  assert.match(stderr, 'error DT3008: no kubeconfig found')
  assert.is(status, 3)
})

test('the package contains the licence and the notices of bundled packages', ({ installed }) => {
  const own = readFileSync(join(installed, 'devtool/LICENSE'), 'utf8')
  assert.match(own, 'Apache License')
  const notices = readFileSync(join(installed, 'devtool/dist/NOTICES.txt'), 'utf8')
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const imported = listFiles('src')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => importsOf(parse(file)))
    .flatMap(({ from = '.' }) => (from.startsWith('.') || isBuiltin(from) ? [] : [from]))
    .map((from) => /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from)
    .filter((name) => !(name in optionalDependencies))
  assert.ok(imported.includes('fp-ts') && imported.includes('js-yaml'))
  for (const name of new Set(imported))
    assert.match(notices, new RegExp(`^${name} \\d[^]*?(?:copyright|permission)`, 'im'))
  assert.is(readFileSync(join(installed, 'devtool/dist/platform/NOTICES.txt'), 'utf8'), notices)
})

test('the package has a description, and its README says how to install the packed file', ({ installed }) => {
  const manifest = JSON.parse(readFileSync(join(installed, 'devtool/package.json'), 'utf8'))
  for (const key of ['bin', 'description', 'engines', 'keywords', 'license', 'version']) assert.ok(manifest[key], key)
  const page = readFileSync(join(installed, 'devtool/README.md'), 'utf8')
  assert.match(page, `npm install --global ./devtool-${manifest.version}.tgz`)
})

test('the package contains the JSON Schemas of its version', ({ installed }) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const schemas = join(installed, 'devtool/dist/schemas')
  assert.equal(readdirSync(schemas).toSorted(), ['compose.schema.json', 'devtool.schema.json'])
  for (const name of readdirSync(schemas))
    assert.is(JSON.parse(readFileSync(join(schemas, name), 'utf8')).$comment, `devtool ${version}`)
})

test.run()
