/** What people do with the files of a development container: git, npm, and changes at both ends. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { type Synced, syncedSpace } from '../support/e2e/synced.ts'
import { until } from '../support/process/until.ts'

const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' })

/** Half of the files change, and one of ten comes and goes. */
const branches = (space: Space): Promise<void> =>
  syncedSpace(space, { 'readme.md': 'main' }, async ({ inPod, same }) => {
    const app = join(space.folder, 'app')
    const write = (index: number, text: string): void => {
      fs.mkdirSync(join(app, `d${index % 7}`), { recursive: true })
      fs.writeFileSync(join(app, `d${index % 7}/f${index}`), text)
    }
    git(app, 'init', '--quiet', '--initial-branch=main')
    for (let index = 0; index < 300; index += 1) if (index % 10 !== 0) write(index, `main ${index}`)
    git(app, 'add', '.')
    git(app, 'commit', '--quiet', '--message=main')
    git(app, 'switch', '--quiet', '--create=other')
    for (let index = 0; index < 300; index += 2) write(index, `other ${index}`)
    git(app, 'rm', '--quiet', 'd1/f1')
    git(app, 'add', '.')
    git(app, 'commit', '--quiet', '--message=other')
    const sum = 'find . -type f ! -path "./.git/*" ! -name ".devtool-sync*" | sort | xargs sha1sum | sha1sum'
    for (const branch of ['main', 'other', 'main']) {
      git(app, 'switch', '--quiet', branch)
      const wanted = execFileSync('sh', ['-c', sum], { cwd: app, encoding: 'utf8' })
      await until(`the files of ${branch} there`, async () => (await inPod(sum)) === wanted)
      assert.is(git(app, 'status', '--porcelain'), '')
    }
    assert.is((await inPod('ls -d .git 2>/dev/null || echo none')).trim(), 'none')
    await same('d1/f1', 'main 1')
  })

const libraries = Array.from({ length: 30 }, (_, index) => `lib${index}`)
/** Packages that npm copies from a folder of the project, as it would unpack them from a registry. */
const library = (name: string): ReadonlyArray<readonly [string, string]> => [
  [`libs/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
  [`libs/${name}/index.js`, `module.exports = '${name}'\n`],
  ...Array.from({ length: 20 }, (_, index) => [`libs/${name}/lib/${index}.js`, `// ${index}\n`] as const),
]
const npm = 'npm_config_cache=/tmp/npm node /usr/lib/node_modules/npm/bin/npm-cli.js --offline --no-audit --no-fund'

/** A lock file that both ends want, and many files that only the other end does. */
const installed = (space: Space): Promise<void> => {
  const files = Object.fromEntries([['package.json', '{"name":"shop"}'], ...libraries.flatMap(library)])
  const use = async ({ here, inPod, same, up }: Synced): Promise<void> => {
    await inPod(`${npm} install --install-links ${libraries.map((name) => `./libs/${name}`).join(' ')}`)
    const locked = await inPod('cat package-lock.json')
    assert.match(locked, '"node_modules/lib29"')
    await same('package-lock.json', locked)
    await same('package.json', await inPod('cat package.json'))
    assert.is(await inPod(`node -p "require('lib7')"`), 'lib7\n')
    space.write('app/node_modules/mine/index.js', 'of this machine')
    space.write('app/package.json', '{"name":"shop","dependencies":{"lib7":"file:libs/lib7"}}')
    await same('package.json', '{"name":"shop","dependencies":{"lib7":"file:libs/lib7"}}')
    await inPod(`${npm} install --install-links`)
    await same('package-lock.json', await inPod('cat package-lock.json'))
    assert.is((await inPod('ls node_modules')).trim(), 'lib7')
    assert.equal(fs.readdirSync(join(space.folder, 'app/node_modules')), ['mine'])
    assert.match((await space.must('sync', 'explain', 'app/node_modules/mine')).stdout, /node_modules/)
    assert.is(here('node_modules/lib7/index.js'), undefined)
    assert.is(up.child.exitCode, null)
  }
  return syncedSpace(space, files, use, { container: { image: 'node:22' } })
}

/** Changes at both ends, while this end is suspended: both contents are there afterwards, and what was here can be had back. */
const bothEnds = (space: Space): Promise<void> =>
  syncedSpace(space, { 'f.txt': 'first', 'gone.txt': 'old' }, async ({ copiesOf, here, inPod, same, up }) => {
    const app = join(space.folder, 'app')
    await same('f.txt', 'first')
    up.child.kill('SIGSTOP')
    await inPod('printf theirs > f.txt; printf more > new.txt; rm gone.txt')
    fs.writeFileSync(join(app, 'f.txt'), 'mine')
    up.child.kill('SIGCONT')
    await same('f.txt', 'mine')
    await same('new.txt', 'more')
    await same('gone.txt', undefined)
    const [copy = ''] = await copiesOf('f.txt')
    await same(copy, 'theirs')
    await until('the conflict is named', async () => (await space.must('sync', 'conflicts')).stdout.includes(copy))
    await until('the conflict is in the status', async () => /conflict/.test((await space.must('status')).stdout))
    fs.rmSync(join(app, copy))
    await until('it is resolved', async () => !(await space.run('sync', 'conflicts')).stdout.includes(copy))
    assert.match((await space.must('sync', 'kept')).stdout, /gone\.txt/)
    await space.must('sync', 'restore', 'app/gone.txt')
    await same('gone.txt', 'old')
    assert.is(here('new.txt'), 'more')
  })

/** The bit of the group of a folder, and the owners of a file and of a folder that somebody else owns there. */
const owners = (space: Space): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one' }, async ({ inPod, same }) => {
    await inPod(
      'mkdir shared; chgrp 4242 shared; chmod 2775 shared; printf x > owned; chown 4343:4343 owned; chmod 640 owned; mkdir theirs; chown 4444:4445 theirs',
    )
    await same('owned', 'x')
    for (const name of ['shared', 'theirs'])
      await until(`${name} here`, () => fs.existsSync(join(space.folder, 'app', name)))
    space.write('app/shared/new.txt', 'in a folder with a group')
    space.write('app/owned', 'changed here')
    await same('shared/new.txt', 'in a folder with a group')
    space.write('app/theirs/new.txt', 'in the folder of another user')
    await same('owned', 'changed here')
    await same('theirs/new.txt', 'in the folder of another user')
    assert.is(await inPod('stat -c "%u %g" shared/new.txt'), '0 4242\n')
    assert.is(await inPod('stat -c "%u %g %a" owned'), '4343 4343 640\n')
    assert.is(await inPod('stat -c "%u %g" theirs/new.txt'), '4444 4445\n')
  })

/** The node of the development container is drained: its pod is evicted. On the next pod the files are there again. */
const drained = (space: Space, { api }: Lab): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one' }, async ({ inPod, same, up }) => {
    await inPod('printf theirs > b.txt')
    await same('b.txt', 'theirs')
    const [pod] = await space.list('Pod', 'dev.devtool/mirror')
    const name = pod?.metadata.name ?? ''
    const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
    const path = `/api/v1/namespaces/${space.namespace}/pods/${name}/eviction`
    assert.is((await api.send({ method: 'POST', path, body, type: 'application/json' })).status, 201)
    space.write('app/a.txt', 'written meanwhile')
    await up.says('the command is started again')
    await same('a.txt', 'written meanwhile')
    await same('b.txt', 'theirs')
  })

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'after `git switch` the container has the files of the branch, and no repository',
    space: 'work-git',
    options,
    run: branches,
  },
  {
    title: 'packages that `npm install` adds in the container stay there, and its lock file is synchronised',
    space: 'work-npm',
    options,
    run: installed,
  },
  {
    title: 'both versions of a file that was changed at both ends while this machine was suspended are kept',
    space: 'work-both',
    options,
    run: bothEnds,
  },
  { title: 'groups of folders and owners of files in the container stay', space: 'work-owners', options, run: owners },
  {
    title: 'after an eviction the next pod has the files, including those written meanwhile',
    space: 'work-drained',
    options,
    run: drained,
  },
]

const test = suite('dev-sync-work')
await scenarios(test, all)
test.run()
