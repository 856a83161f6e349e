/** What programs and file systems do to folders that are synchronised. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { until } from '../../support/process/until.ts'
import { type Pair, startPair } from '../../support/sync/pair.ts'
import { contentOf } from '../../support/sync/real-tree.ts'

const test = suite<{ pair: Pair }>('programs')

test.before.each(async (context) => {
  context.pair = await startPair()
})
test.after.each(({ pair }) => pair.end())

const isConflict = ({ _tag }: { readonly _tag: string }): boolean => _tag === 'Conflict'

const isOwnName = (name: string): boolean => name.startsWith('.devtool-sync-')

/** Ways in which editors save; `$F` is the file. */
const saves: ReadonlyArray<readonly [how: string, script: string]> = [
  ['in place', 'printf "%s" "$1" > f'],
  ['in two writes', 'printf "" > f; printf "%s" "$1" >> f'],
  ['beside, and renamed over it', 'printf "%s" "$1" > .f.tmp; mv .f.tmp f'],
  ['after the old file was renamed, as vim does', 'mv f f~; printf "%s" "$1" > f; rm f~'],
  ['after the old file was copied', 'cp -p f f~; printf "%s" "$1" > f; rm f~'],
  ['after the old file was deleted', 'rm f; printf "%s" "$1" > f'],
  ['with a lock and a swap file', ': > .f.swp; ln -s me@host .#f; printf "%s" "$1" > f; rm .#f .f.swp'],
]
for (const [how, script] of saves) {
  test(`a file that is saved ${how} arrives at either end, and leaves nothing else`, async ({ pair }) => {
    const { here, notices, run, same, there } = pair
    fs.writeFileSync(join(here, 'f'), 'first')
    await same(1)
    for (const [from, to, text] of [
      [here, there, 'second'],
      [there, here, 'third'],
      [here, there, 'fourth'],
    ] as const) {
      run(from, `set -- ${text}; ${script}`)
      assert.equal(await same(1), ['f'])
      assert.is(fs.readFileSync(join(to, 'f'), 'utf8'), text)
    }
    assert.equal(notices.filter(isConflict), [])
  })
}

test('a checkout of another branch arrives as a whole, there and back', async ({ pair }) => {
  const { here, notices, run, same, there } = pair
  run(
    here,
    `mkdir -p ../git src
    for i in $(seq 300); do echo "main $i" > src/$i; done
    export GIT_DIR=$PWD/../git GIT_WORK_TREE=$PWD
    git init -q -b main; git config user.email a@b; git config user.name a
    git add -A; git commit -qm main; git checkout -qb other
    for i in $(seq 200); do echo "other $i" > src/$i; done
    git rm -q src/2[5-9]?; mkdir lib; git mv src/300 lib/300; ln -s src/1 one; git add -A; git commit -qm other`,
  )
  await same(251)
  const checkout = (branch: string): void =>
    run(here, `export GIT_DIR=$PWD/../git GIT_WORK_TREE=$PWD; git checkout -q ${branch}`)
  checkout('main')
  await same(300)
  assert.is(fs.readFileSync(join(there, 'src/7'), 'utf8'), 'main 7\n')
  checkout('other')
  await same(251)
  assert.is(fs.readFileSync(join(there, 'src/7'), 'utf8'), 'other 7\n')
  assert.equal(notices.filter(isConflict), [])
})

test('a storm of renames, of files and folders, arrives as a whole and leaves nothing else', async ({ pair }) => {
  const { here, notices, run, same, there } = pair
  run(here, 'for d in 1 2 3; do mkdir d$d; for i in $(seq 40); do echo "$d $i" > d$d/$i; done; done')
  await same(120)
  for (const [from, to] of [
    [here, there],
    [there, here],
  ] as const) {
    // Folders change places, files change folders, and names are used again at once, while all of it is synchronised.
    const storm = execFile(
      'sh',
      [
        '-ec',
        `for n in $(seq 25); do mv d1 t; mv d2 d1; mv d3 d2; mv t d3; done
      for n in $(seq 3); do
        for i in $(seq 40); do mv d1/$i d2/m; mv d2/$i d1/$i; mv d2/m d2/$i; done
      done
      mkdir d2/deep; mv d3 d2/deep/d3; mv d2/deep/d3 d3; rmdir d2/deep`,
      ],
      { cwd: from },
    )
    assert.equal(await once(storm, 'exit'), [0, null])
    const before = [...contentOf(from)]
    assert.is((await same(120)).length, 120)
    // Folders that are empty now may go a moment later.
    await until('the same folders are there', () => contentOf(to).size === before.length)
    assert.equal([...contentOf(to)], before)
  }
  assert.equal(notices.filter(isConflict), [])
  const left = (): ReadonlyArray<string> => [here, there].flatMap((folder) => fs.readdirSync(folder).filter(isOwnName))
  await until('nothing unfinished is left', () => left().length === 0)
})

test('a file of more than 100 MB arrives at either end without being held in memory', async ({ pair }) => {
  const { here, same, there } = pair
  const part = randomBytes(1_000_000)
  const parts = 240
  await same(0)
  for (const [from, to, name] of [
    [here, there, 'mine'],
    [there, here, 'theirs'],
  ] as const) {
    const before = process.memoryUsage().rss
    let most = before
    const file = fs.openSync(join(from, name), 'w')
    for (let written = 0; written < parts; written += 1) fs.writeSync(file, part)
    fs.closeSync(file)
    await until('it arrives', () => {
      most = Math.max(most, process.memoryUsage().rss)
      return fs.existsSync(join(to, name))
    })
    const held = Math.round((most - before) / 1_000_000)
    assert.ok(held < parts / 2, `${held} MB`)
    assert.ok(fs.readFileSync(join(to, name)).equals(fs.readFileSync(join(from, name))))
    fs.rmSync(join(from, name))
    await same(0)
  }
})

test('packages that are installed in the container stay there, and the lock file is synchronised', async ({ pair }) => {
  const { here, run, same, there } = pair
  fs.writeFileSync(join(here, 'package.json'), '{}')
  await same(1)
  run(
    there,
    `for i in $(seq 200); do mkdir -p node_modules/p$i/lib; echo {} > node_modules/p$i/package.json; done
    ln -s ../p1/package.json node_modules/p2/lib/x; echo lock > package-lock.json.1; mv package-lock.json.1 package-lock.json`,
  )
  assert.equal(await same(2), ['package-lock.json', 'package.json'])
  assert.equal(fs.existsSync(join(here, 'node_modules')), false)
  assert.is(fs.readdirSync(join(there, 'node_modules')).length, 200)
})

test('names that differ only in case, or in Unicode normalization, are different', async ({ pair }) => {
  const { here, same, there } = pair
  await same(0)
  fs.writeFileSync(join(here, 'README'), 'upper')
  fs.writeFileSync(join(there, 'readme'), 'lower')
  fs.writeFileSync(join(here, 'caf\u00e9'), 'composed')
  fs.writeFileSync(join(there, 'cafe\u0301'), 'decomposed')
  assert.is((await same(4)).length, 4)
  assert.is(fs.readFileSync(join(there, 'README'), 'utf8'), 'upper')
  assert.is(fs.readFileSync(join(here, 'cafe\u0301'), 'utf8'), 'decomposed')
})

test('a change of the case or Unicode normalization of a name reaches the other end', async ({ pair }) => {
  const { here, notices, same, there } = pair
  fs.mkdirSync(join(here, 'src'))
  for (const name of ['README', 'caf\u00e9', 'src/a']) fs.writeFileSync(join(here, name), name)
  await same(3)
  const renames = [
    ['README', 'readme'],
    ['caf\u00e9', 'cafe\u0301'],
    ['src', 'Src'],
  ] as const
  for (const [from, to] of renames) fs.renameSync(join(here, from), join(here, to))
  assert.equal(await same(3), ['Src/a', 'cafe\u0301', 'readme'])
  for (const [from, to] of renames) fs.renameSync(join(there, to), join(there, from))
  assert.equal(await same(3), ['README', 'caf\u00e9', 'src/a'])
  assert.is(fs.readFileSync(join(here, 'caf\u00e9'), 'utf8'), 'caf\u00e9')
  assert.equal(notices.filter(isConflict), [])
})

test('a sparse file arrives with all of its content and stays sparse, at either end', async ({ pair }) => {
  const { here, same, there } = pair
  const size = 20_000_000
  const check = (folder: string, name: string): void => {
    const content = fs.readFileSync(join(folder, name))
    assert.is(content.length, size + 1_000_003)
    assert.is(content.subarray(size - 1, size + 3).toString(), '\0mid')
    assert.ok([content.subarray(0, size), content.subarray(size + 3)].every((part) => part.every((byte) => byte === 0)))
    assert.ok(fs.statSync(join(folder, name)).blocks * 512 < size / 10)
  }
  for (const [from, to, name] of [
    [here, there, 'mine'],
    [there, here, 'theirs'],
  ] as const) {
    const file = fs.openSync(join(from, name), 'w')
    fs.writeSync(file, 'mid', size)
    fs.ftruncateSync(file, size + 1_000_003)
    fs.closeSync(file)
    await same(name === 'mine' ? 1 : 2)
    check(to, name)
  }
})

test('a file that is replaced keeps its mode and its group, and a new one gets those of its folder', async ({
  pair,
}) => {
  const { here, same, there } = pair
  fs.writeFileSync(join(here, 'f'), 'one')
  fs.mkdirSync(join(here, 'shared'))
  await same(1)
  fs.chmodSync(join(there, 'f'), 0o640)
  const group = process.getuid?.() === 0 ? 12345 : (process.getgid?.() ?? 0)
  fs.chownSync(join(there, 'f'), process.getuid?.() ?? 0, group)
  fs.chownSync(join(there, 'shared'), process.getuid?.() ?? 0, group)
  fs.chmodSync(join(there, 'shared'), 0o2775)
  fs.writeFileSync(join(here, 'f'), 'two')
  fs.writeFileSync(join(here, 'shared/new'), 'new')
  await same(2)
  const [f, made] = ['f', 'shared/new'].map((path) => fs.statSync(join(there, path)))
  assert.is(fs.readFileSync(join(there, 'f'), 'utf8'), 'two')
  assert.equal([(f?.mode ?? 0) & 0o777, f?.gid, made?.gid], [0o640, group, group])
})

/** An end on whose disk nothing can be written for a while. */
const failing =
  (reason: 'NoSpace' | 'ReadOnly' | 'Forbidden', isSo: () => boolean) =>
  (tree: OpenTree): OpenTree => ({
    ...tree,
    act: (act, content) =>
      isSo() ? async () => ({ _tag: 'Failed', trouble: reason, reason }) : tree.act(act, content),
    makeAll: (acts, bytes) => (isSo() ? async () => E.right(acts.map((_, index) => index)) : tree.makeAll(acts, bytes)),
  })
for (const reason of ['NoSpace', 'ReadOnly', 'Forbidden'] as const) {
  test(`an end that cannot write reports it once, loses nothing, and continues by itself: ${reason}`, async () => {
    let isFailing = true
    const pair = await startPair(failing(reason, () => isFailing))
    const { here, notices, same, there } = pair
    await same(0)
    fs.writeFileSync(join(there, 'theirs'), 'theirs')
    fs.writeFileSync(join(here, 'mine'), 'mine')
    const said = (): number => notices.filter(({ _tag }) => _tag === 'ActTrouble').length
    for (let left = 500; left > 0 && (said() === 0 || !fs.existsSync(join(here, 'theirs'))); left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.is(said(), 1)
    assert.is(fs.readFileSync(join(here, 'theirs'), 'utf8'), 'theirs', 'the other way still works')
    isFailing = false
    await same(2)
    assert.is(fs.readFileSync(join(there, 'mine'), 'utf8'), 'mine')
    await pair.end()
  })
}

test.run()
