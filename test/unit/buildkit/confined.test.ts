/** Where reading is confined to a folder, nothing that lies outside of it reaches a builder, whatever is swapped meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'
import { execPath } from 'node:process'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildContexts } from '../../../src/adapters/buildkit/contexts.ts'
import { secretsService } from '../../../src/adapters/buildkit/secrets.ts'
import { sshService } from '../../../src/adapters/buildkit/ssh.ts'
import { nodeFiles } from '../../../src/adapters/node-fs/files.ts'
import { isBelow } from '../../../src/adapters/paths/within.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { memoryHome } from '../../memory/home.ts'
import {
  CheckAgentRequestSchema,
  GetSecretRequestSchema,
  GetSecretResponseSchema,
} from '../../support/build/gen/buildkit_pb.ts'
import { callService } from '../../support/build/session-call.ts'
import { fetchAll, serve } from '../../support/build/sync-call.ts'
import { inFolder, plant } from '../../support/build/tree.ts'

const outsideText = 'what lies outside'
/** A key that could be used. */
const outsideKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const signal = new AbortController().signal

/** `project` beside `elsewhere`, which holds files of the same names. */
const inProject = (run: (project: string, elsewhere: string) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    plant(folder, {
      'project/web/d/file': 'inside',
      'project/web/d/more/file': 'inside',
      'project/web/d/more/key': 'inside',
      'elsewhere/d/file': outsideText,
      'elsewhere/d/more/file': outsideText,
      'elsewhere/file': outsideText,
      'elsewhere/more/file': outsideText,
      ...Object.fromEntries(['', 'd/', 'd/more/', 'more/'].map((path) => [`elsewhere/${path}key`, outsideKey])),
    })
    await run(join(folder, 'project'), join(folder, 'elsewhere'))
  })

const secretOf = async (file: string, root: string): Promise<string | undefined> => {
  const request = toBinary(GetSecretRequestSchema, create(GetSecretRequestSchema, { id: 'a' }))
  const service = secretsService({ root, secrets: [{ id: 'a', source: { _tag: 'File', file } }] }, systemClock)
  const { answers } = await callService(service, '/moby.buildkit.secrets.v1.Secrets/GetSecret', [request])
  const [answer] = answers
  return answer === undefined ? undefined : Buffer.from(fromBinary(GetSecretResponseSchema, answer).data).toString()
}

const keyFault = async (file: string, root: string): Promise<string> => {
  const request = toBinary(CheckAgentRequestSchema, create(CheckAgentRequestSchema, { id: 'a' }))
  const service = sshService({ root, ssh: [{ id: 'a', paths: [file] }] }, { clock: systemClock, env: {} })
  const { status } = await callService(service, '/moby.sshforward.v1.SSH/CheckAgent', [request])
  return status?.message ?? ''
}

const hashOf = async (folder: string, root?: string): Promise<string | undefined> => {
  const hashed = await buildContexts({ clock: systemClock, home: memoryHome() }).hash(
    { folder, ignore: '', root },
    signal,
  )()
  return E.isLeft(hashed) ? undefined : hashed.right
}

/** All that a builder gets of a folder. */
const sentOf = async (path: string, root: string): Promise<ReadonlyArray<string>> => {
  const { contents } = await fetchAll(serve({ _tag: 'Folder', path }, {}, false, root).asking)
  return [...contents.values()]
}

test('a context behind a link out of the project is neither hashed nor sent', () =>
  inProject(async (project, elsewhere) => {
    symlinkSync(elsewhere, join(project, 'link'))
    for (const folder of [join(project, 'link'), join(project, 'link/d'), elsewhere, join(project, '..')]) {
      const hashed = await buildContexts({ clock: systemClock, home: memoryHome() }).hash(
        { folder, ignore: '', root: project },
        signal,
      )()
      assert.is(E.isLeft(hashed) ? hashed.left.code : '', 'DT1008')
      const { asking, failures } = serve({ _tag: 'Folder', path: folder }, {}, false, project)
      assert.is((await asking.status)?.code, 13)
      assert.match(failures[0]?.cause ?? '', 'outside the project folder')
    }
    symlinkSync('web', join(project, 'other-name'))
    assert.equal(await sentOf(join(project, 'other-name'), project), ['inside', 'inside', 'inside'])
  }))

test('secrets and keys behind links out of the project are not read, and those within are', () =>
  inProject(async (project, elsewhere) => {
    symlinkSync(join(elsewhere, 'file'), join(project, 'secret'))
    symlinkSync('web/d/file', join(project, 'own'))
    assert.is(await secretOf(join(project, 'secret'), project), undefined)
    assert.is(await secretOf(join(elsewhere, 'file'), project), undefined)
    assert.is(await secretOf(join(project, 'own'), project), 'inside')
    assert.match(await keyFault(join(project, 'secret'), project), 'outside the project folder')
    assert.match(await keyFault(join(project, 'own'), project), 'not a private key')
  }))

/** Swaps a folder of the project for a link to `elsewhere` and back, without a pause. */
const swapping = async (folder: string, elsewhere: string): Promise<ChildProcess> => {
  symlinkSync(elsewhere, `${folder}.link`)
  const code = `
    const { renameSync } = require('node:fs')
    const [, folder] = process.argv
    const turn = () => {
      for (let count = 0; count < 50; count += 1) {
        renameSync(folder, folder + '.real'); renameSync(folder + '.link', folder)
        renameSync(folder, folder + '.link'); renameSync(folder + '.real', folder)
      }
      setImmediate(turn)
    }
    process.once('SIGTERM', () => process.exit())
    process.stdout.write('on')
    turn()`
  const child = spawn(execPath, ['-e', code, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

for (const swapped of ['web', 'web/d', 'web/d/more']) {
  test(`a link that replaces ${swapped} during the build is not followed out of the project`, () =>
    inProject(async (project, elsewhere) => {
      const target = { web: '.', 'web/d': 'd', 'web/d/more': 'd/more' }[swapped] ?? '.'
      const leaked = join(dirname(project), 'leaked')
      cpSync(project, leaked, { recursive: true })
      rmSync(join(leaked, swapped), { recursive: true })
      cpSync(join(elsewhere, target), join(leaked, swapped), { recursive: true })
      const wrong = await hashOf(join(leaked, 'web'))
      const swapper = await swapping(join(project, swapped), join(elsewhere, target))
      const got = new Set<string | undefined>()
      const hashes = new Set<string | undefined>()
      const faults = new Set<string>()
      const files = nodeFiles(project, () => {
        throw new Error('nobody asks for it')
      })
      // On one processor the program that swaps may not run for a while.
      const isMet = (): boolean => got.has('inside') && hashes.size > 1
      for (let round = 0; round < 300 || (round < 30_000 && !isMet()); round += 1) {
        for (const text of await sentOf(join(project, 'web'), project)) got.add(text)
        got.add(await secretOf(join(project, 'web/d/more/file'), project))
        const read = await files.read('web/d/more/file', { root: project })()
        if (read._tag === 'File') got.add(Buffer.from(read.bytes).toString())
        hashes.add(await hashOf(join(project, 'web'), project))
        faults.add(await keyFault(join(project, 'web/d/more/key'), project))
      }
      swapper.kill()
      await once(swapper, 'exit')
      assert.not.ok(got.has(outsideText))
      assert.ok(got.has('inside'), 'some were read between two swaps')
      assert.ok(wrong !== undefined && hashes.size > 1 && !hashes.has(wrong), 'nothing outside is hashed')
      assert.not.ok(faults.has(''), 'the key is used')
    }))
}

test('a path is below a folder by the rules of each platform', () => {
  const below = ['/work/a', '/work', '/work/..a', '/work/a/..b']
  const beside = ['/', '/worker', '/work/../etc', '/etc']
  assert.equal(
    [...below, ...beside].filter((path) => isBelow('/work', path, posix)),
    below,
  )
  const inDrive = ['C:\\work\\a', 'C:\\work', 'C:\\work\\..a']
  const elsewhere = ['C:\\', 'C:\\worker', 'D:\\work\\a', 'D:\\', '\\\\server\\share\\work\\a']
  assert.equal(
    [...inDrive, ...elsewhere].filter((path) => isBelow('C:\\work', path, win32)),
    inDrive,
  )
})

test.run()
