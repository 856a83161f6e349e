/** Files go both ways between the folder of `up` and the pod of a development container. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, numberAt } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { syncedSpace } from '../support/e2e/synced.ts'
import { filesIn } from '../support/process/files-in.ts'
import { until } from '../support/process/until.ts'

const bothWays = (space: Space): Promise<void> =>
  syncedSpace(space, { 'a.txt': 'one', 'src/b.txt': 'two' }, async ({ here, inPod, same, there }) => {
    assert.is(await there('src/b.txt'), 'two')
    space.write('app/a.txt', 'more')
    await same('a.txt', 'more')
    await inPod('echo three > new.txt; mkdir -p made/deep; echo four > made/deep/c.txt')
    await same('new.txt', 'three\n')
    await same('made/deep/c.txt', 'four\n')
    fs.rmSync(join(space.folder, 'app/src/b.txt'))
    await same('src/b.txt', undefined)
    await inPod('rm new.txt')
    await same('new.txt', undefined)
    assert.is(here('a.txt'), 'more')
    const percent = async (): Promise<number | undefined> => {
      const { stdout } = await space.must('status', '-o', 'json')
      return numberAt(JSON.parse(stdout), 'devs', 0, 'folders', 0, 'percent')
    }
    await until('100 % in status', async () => (await percent()) === 100)
    assert.match((await space.must('status')).stdout, / 100 % /)
  })

const many = Array.from({ length: 40 }, (_, index) => `f${index}`)

const questions = (space: Space): Promise<void> =>
  syncedSpace(space, Object.fromEntries(many.map((name) => [name, name])), async ({ here, inPod, same, there, up }) => {
    const question = async (): Promise<unknown> => {
      const { stdout } = await space.must('status', '-o', 'json')
      return at(JSON.parse(stdout), 'devs', 0, 'folders', 0, 'question')
    }
    assert.match((await space.run('sync', 'allow')).stderr, /DT5140: no question is open/)
    await inPod('rm f*')
    await up.says('40 of 40 files were deleted in the container')
    await until('a question in status', async () => (await question()) !== undefined)
    assert.match((await space.must('status')).stdout, /40 of 40 files were deleted .*`devtool sync allow api`/)
    await space.must('sync', 'refuse', 'api')
    for (const name of ['f0', 'f39']) await same(name, name)
    await until('no question', async () => (await question()) === undefined)
    for (const name of many) fs.rmSync(join(space.folder, 'app', name))
    await up.says('40 of 40 files were deleted here')
    assert.is(await there('f0'), 'f0')
    await until('a question in status', async () => (await question()) !== undefined)
    await space.must('sync', 'allow')
    for (const name of ['f0', 'f39']) await same(name, undefined)
    const { stdout: info } = await space.must('status', '--info')
    const [, local, remote, username, password] =
      /Local synchronisation URL: +(\S+)\n +Remote synchronisation URL: +(\S+)\n +Username: +(\S+)\n +Password: +(\S+)\n/.exec(
        info,
      ) ?? []
    for (const [url, root] of [
      [local, '/app\n'],
      [remote, '/work\n'],
    ] as const) {
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      const page = await (await fetch(url ?? '', { headers: { authorization } })).text()
      assert.match(page, root)
      assert.match(page, /acts: \d+ done/)
    }
    await inPod('printf new > new')
    await same('new', 'new')
    await space.must('doctor')
    const report = fs.readdirSync(space.folder).find((name) => name.endsWith('.zip')) ?? ''
    const files = Object.entries(unzipSync(fs.readFileSync(join(space.folder, report))))
    const textIn = (name: RegExp): string => strFromU8(files.find(([one]) => name.test(one))?.[1] ?? new Uint8Array())
    const log = textIn(/^sync-log\/api-[0-9a-f]{16}\.log$/)
    assert.match(log, /\/app <-> \/work\n/)
    assert.match(log, /Z Write new: done\n/)
    assert.match(log, /Z in the container: Remove f0: done\n/)
    assert.ok(files.some(([name]) => /^logs\/[^/]+\/app\.log$/.test(name)))
    assert.is(here('f1'), undefined)
  })

const thousand = Array.from({ length: 1000 }, (_, index) => `d${index % 10}/f${index}`)

/** Deletes 400 of the files, each on its own. Prints the second of each deletion. */
const slowly = 'for f in d0/* d1/* d2/* d3/*; do rm "$f"; date +%s; sleep 0.03; done'

/** In whole seconds: 1 is less than two. */
const longestPause = (printed: string): number => {
  const seconds = printed.trim().split('\n').map(Number)
  return Math.max(...seconds.map((second, index) => second - (seconds[index - 1] ?? second)))
}

const filesHere = ({ folder }: Space): number => filesIn(join(folder, 'app')).length

const slowAndFast = (space: Space): Promise<void> =>
  syncedSpace(space, Object.fromEntries(thousand.map((name) => [name, name])), async ({ inPod, same, up }) => {
    const pause = longestPause(await inPod(slowly))
    await up.says('of 1000 files were deleted in the container')
    const [few, quarter] = [20, 250]
    assert.ok(filesHere(space) >= 1000 - (pause > 1 ? quarter : few), `${filesHere(space)} of 1000, pause ${pause} s`)
    await until('all files are here after the refusal', async () => {
      await space.run('sync', 'refuse')
      return (await inPod('find . -name "f*" | wc -l')).trim() === String(filesHere(space))
    })
    const left = filesHere(space)
    await inPod('rm -rf d*')
    await up.says(`${left} of ${left} files were deleted in the container`)
    assert.is(filesHere(space), left)
    // Other terminals see the question within a second.
    await until('the refusal is taken', async () => (await space.run('sync', 'refuse')).status === 0)
    await same('d9/f999', 'd9/f999')
  })

const all: ReadonlyArray<Scenario> = [
  {
    title:
      'whether most of a folder is deleted slowly or at once, few files are deleted at the other end before the question',
    space: 'dev-sync-deleted',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: slowAndFast,
  },
  {
    title: 'files and folders saved, created or deleted at one end are saved, created or deleted at the other',
    space: 'dev-sync',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: bothWays,
  },
  {
    title: 'many deletions need confirmation, which may come from another terminal',
    space: 'dev-sync-questions',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: questions,
  },
]

const test = suite('dev-sync')
await scenarios(test, all)
test.run()
