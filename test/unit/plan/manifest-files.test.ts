/** A plan is written into a folder as one file for each object: all of it or nothing, and over nothing that is not ours. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileManifests } from '../../../src/app/project/write-files.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { fileHash, LIST_FILE, showFileList } from '../../../src/domain/plan/file-list.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import type { PlainFolders } from '../../../src/ports/plain-folders.ts'
import { type Entry, text } from '../../memory/files.ts'
import { memoryPlainFolders } from '../../memory/plain-folders.ts'
import { translateFiles } from '../../support/compose/project.ts'

const planOf = (services: string): Plan => {
  const { plan } = translateFiles({ 'compose.yaml': `name: shop\nservices:\n${services}`, 'pw.txt': 'hunter2' })
  assert.ok(plan)
  return plan
}

const old = planOf('  web: {image: "nginx:1"}\n  db: {image: "redis:1"}\n')
const now = planOf('  web: {image: "nginx:2"}\n  api: {image: "traefik:1"}\n')

type Disk = Map<string, Entry>

const textsOf = (disk: Disk): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...disk]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, entry]) => [path, entry._tag === 'File' ? new TextDecoder().decode(entry.bytes) : entry._tag]),
  )

const write = (folders: PlainFolders, plan: Plan, showSecrets = false) =>
  fileManifests({ plainFolders: folders })('k8s', plan, showSecrets)()

const written = async (plan: Plan, disk: Disk = new Map()): Promise<Disk> => {
  const done = await write(memoryPlainFolders(disk), plan)
  assert.ok(E.isRight(done), JSON.stringify(done))
  return disk
}

const codesOf = (done: Awaited<ReturnType<typeof write>>): ReadonlyArray<string> =>
  E.isLeft(done) ? done.left.map(({ code, message }) => `${code} ${message}`) : []

test('each object has a file, and the kustomization names them in the order of the plan', async () => {
  const texts = textsOf(await written(old))
  assert.equal(Object.keys(texts), [
    `k8s/${LIST_FILE}`,
    'k8s/deployment-db.yaml',
    'k8s/deployment-web.yaml',
    'k8s/kustomization.yaml',
    'k8s/service-db.yaml',
    'k8s/service-web.yaml',
  ])
  const named = [...(texts['k8s/kustomization.yaml'] ?? '').matchAll(/^ *- (.*)$/gm)].map(([, name = '']) => name)
  assert.equal(named.toSorted(), ['deployment-db.yaml', 'deployment-web.yaml', 'service-db.yaml', 'service-web.yaml'])
})

test('a second run changes nothing, and another one gives the same bytes elsewhere', async () => {
  const disk = await written(old)
  const again = await write(memoryPlainFolders(disk), old)
  assert.equal(again, E.right([]))
  assert.equal(textsOf(await written(old)), textsOf(disk))
})

test('files of objects that are gone are removed, and files of others stay', async () => {
  const disk = await written(old)
  disk.set('k8s/README.md', text('ours'))
  disk.set('k8s/extra.yaml', text('a: 1\n'))
  await written(now, disk)
  assert.equal([...disk.keys()].filter((path) => /db|api|README|extra/.test(path)).toSorted(), [
    'k8s/README.md',
    'k8s/deployment-api.yaml',
    'k8s/extra.yaml',
    'k8s/service-api.yaml',
  ])
})

const kept: ReadonlyArray<readonly [string, string, Entry]> = [
  ['was there before', 'k8s/deployment-api.yaml', text('kind: Deployment\n')],
  ['was changed by hand', 'k8s/deployment-web.yaml', text('kind: Deployment\n')],
  ['was changed by hand and would be removed', 'k8s/deployment-db.yaml', text('kind: Deployment\n')],
  ['is a link', 'k8s/deployment-web.yaml', { _tag: 'Link', to: '../web.yaml' }],
  ['is a link in place of the list', `k8s/${LIST_FILE}`, { _tag: 'Link', to: '../list.json' }],
  ['is a kustomization of somebody else', 'k8s/kustomization.yaml', text('resources: []\n')],
  ['is no list of ours', `k8s/${LIST_FILE}`, text('{"files": 1}')],
  ['is binary', 'k8s/service-web.yaml', { _tag: 'File', bytes: Uint8Array.of(0xff, 0xfe) }],
]

for (const [why, path, entry] of kept) {
  test(`nothing is written when a file ${why}`, async () => {
    const disk = (await written(old)).set(path, entry)
    const before = textsOf(disk)
    const done = await write(memoryPlainFolders(disk), now)
    assert.match(codesOf(done).join('\n'), `DT2007 ${path}`)
    assert.equal(textsOf(disk), before)
  })
}

test('every file in the way is named', async () => {
  const disk: Disk = new Map(['deployment-web', 'service-web'].map((name) => [`k8s/${name}.yaml`, text('a: 1\n')]))
  const codes = codesOf(await write(memoryPlainFolders(disk), old))
  assert.is(codes.length, 2)
  assert.is(disk.size, 2)
})

test('a folder that is a link is refused', async () => {
  const disk: Disk = new Map([['k8s', { _tag: 'Link', to: '../elsewhere' }]])
  assert.match(codesOf(await write(memoryPlainFolders(disk), old)).join(), 'DT2007 k8s is a symbolic link')
})

for (const name of ['../home.yaml', 'sub/a.yaml', '/etc/a.yaml', '.bashrc', 'a\\b.yaml', 'notes.txt']) {
  test(`a list that names ${name} removes nothing`, async () => {
    const path = `k8s/${name}`
    const disk: Disk = new Map([
      ['home.yaml', text('precious')],
      [path, text('precious')],
      [`k8s/${LIST_FILE}`, text(showFileList([{ name, sha256: fileHash('precious') }]))],
    ])
    const before = textsOf(disk)
    assert.match(codesOf(await write(memoryPlainFolders(disk), old)).join(), `DT2007 k8s/${LIST_FILE}`)
    assert.equal(textsOf(disk), before)
  })
}

test('line ends that git changed make no difference', async () => {
  const disk = await written(old)
  for (const [path, content] of Object.entries(textsOf(disk))) disk.set(path, text(content.replaceAll('\n', '\r\n')))
  assert.equal(await write(memoryPlainFolders(disk), old), E.right([]))
})

test('a Secret is left out, or stands in a file that no kustomization names', async () => {
  const plan = planOf('  web: {image: nginx, secrets: [pw]}\nsecrets: {pw: {file: pw.txt}}\n')
  const without = textsOf(await written(plan))
  assert.match(without['k8s/kustomization.yaml'] ?? '', '# Secret pw is left out')
  assert.not.match(Object.keys(without).join(), 'secret')
  const disk: Disk = new Map()
  assert.ok(E.isRight(await write(memoryPlainFolders(disk), plan, true)))
  const shown = textsOf(disk)
  assert.match(shown['k8s/secret-pw.yaml'] ?? '', 'kind: Secret')
  assert.is(shown['k8s/kustomization.yaml'], without['k8s/kustomization.yaml'])
})

test('restored Secrets can be read by this user only', async () => {
  const plan = planOf('  web: {image: nginx, secrets: [pw]}\nsecrets: {pw: {file: pw.txt}}\n')
  const disk: Disk = new Map()
  const folders = memoryPlainFolders(disk)
  assert.ok(E.isRight(await write(folders, plan, true)))
  for (let count = 1; count < mostSteps; count += 1) {
    const put: Array<readonly [string, boolean]> = []
    const watched: PlainFolders = {
      ...folders,
      put: (folder, name, content, options) => {
        put.push([name, options.isPrivate])
        return folders.put(folder, name, content, options)
      },
    }
    const done = await write(faulty(watched, count, false), now)
    assert.equal(
      put.filter(([name, isPrivate]) => name.startsWith('secret-') !== isPrivate),
      [],
    )
    if (E.isRight(done)) return
  }
  assert.unreachable()
})

test('a generated file that was emptied by hand is not removed', async () => {
  const disk = (await written(old)).set('k8s/deployment-db.yaml', text(''))
  assert.match(codesOf(await write(memoryPlainFolders(disk), now)).join(), 'DT2007 k8s/deployment-db.yaml')
  assert.ok(disk.has('k8s/deployment-db.yaml'))
})

test('a foreign file with the right content is never treated as generated', async () => {
  const db = textsOf(await written(old))['k8s/deployment-db.yaml'] ?? ''
  const disk = await written(old, new Map([['k8s/deployment-db.yaml', text(db)]]))
  await written(now, disk)
  assert.is(textsOf(disk)['k8s/deployment-db.yaml'], db)
  assert.not(disk.has('k8s/service-db.yaml'))
})

/** Works for `count` changes. Then each fails; or, when the process was killed, nothing happens any more. */
const faulty = (folders: PlainFolders, count: number, isKilled: boolean): PlainFolders => {
  let left = count
  const fault = error('DT2006', 'no space left on device')
  const step = (run: TE.TaskEither<ReturnType<typeof error>, void>): TE.TaskEither<ReturnType<typeof error>, void> => {
    return async () => {
      left -= 1
      return left === -1 || (isKilled && left < 0) ? E.left(fault) : run()
    }
  }
  return {
    lock: folders.lock,
    look: folders.look,
    put: (folder, name, content, options) => step(folders.put(folder, name, content, options)),
    remove: (folder, name) => step(folders.remove(folder, name)),
  }
}

/** More than any of these runs needs. */
const mostSteps = 12

test('a run that fails at any step leaves everything as it was', async () => {
  for (let count = 0; count < mostSteps; count += 1) {
    const disk = await written(old)
    const before = textsOf(disk)
    const done = await write(faulty(memoryPlainFolders(disk), count, false), now)
    if (E.isLeft(done)) assert.equal(textsOf(disk), before, `step ${count}`)
    else assert.equal(textsOf(disk), textsOf(await written(now)), `step ${count}`)
  }
})

test('after a kill at any step every file is complete, the kustomization names no missing one, and a second run completes it', async () => {
  const [first, last] = [textsOf(await written(old)), textsOf(await written(now))]
  let killed = 0
  for (let count = 0; count < mostSteps; count += 1) {
    const disk = (await written(old)).set('k8s/README.md', text('ours'))
    const done = await write(faulty(memoryPlainFolders(disk), count, true), now)
    if (E.isLeft(done)) killed += 1
    const left = textsOf(disk)
    for (const [path, content] of Object.entries(left)) {
      if (path.endsWith('.yaml')) assert.ok(content === first[path] || content === last[path], `${path} at ${count}`)
    }
    for (const [, name = ''] of (left['k8s/kustomization.yaml'] ?? '').matchAll(/^ *- (.*)$/gm))
      assert.ok(left[`k8s/${name}`] !== undefined, `${name} at ${count}`)
    const healing = new Map(disk)
    await written(now, healing)
    assert.equal(textsOf(healing), { ...last, 'k8s/README.md': 'ours' }, `rerun at ${count}`)
    await written(old, disk)
    assert.equal(textsOf(disk), { ...first, 'k8s/README.md': 'ours' }, `back at ${count}`)
  }
  assert.ok(killed > 5)
})

test.run()
