/** A local folder on a real file system that ignores case and has no links: exFAT, mounted by FUSE. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compose } from '../support/e2e/apps.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

type Mounted = { readonly path: string; readonly unmount: () => void }

const mountIn = (folder: string): Mounted => {
  const [image, path] = [join(folder, 'exfat.img'), join(folder, 'exfat')]
  fs.writeFileSync(image, '')
  fs.truncateSync(image, 16_000_000)
  fs.mkdirSync(path)
  execFileSync('mkfs.exfat', [image])
  const device = String(execFileSync('losetup', ['--find', '--show', image])).trim()
  const detach = (): unknown => execFileSync('losetup', ['--detach', device])
  try {
    execFileSync('mount.exfat-fuse', [device, path], { stdio: 'ignore' })
  } catch (cause) {
    detach()
    throw cause
  }
  const unmount = (): void => {
    execFileSync('umount', [path])
    detach()
  }
  return { path, unmount }
}

/** It takes root, loop devices and FUSE. */
const unmountable = (): string | undefined => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'exfat-'))
  try {
    mountIn(folder).unmount()
    return undefined
  } catch (cause) {
    return `exFAT cannot be mounted: ${String(cause)}`
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const manifest = (local: string): string => `deploy: {compose: compose.yaml}
dev:
  web:
    command: echo ready; sleep 1000
    sync: ["${local}:/src"]
`

const cases = async (space: Space): Promise<void> => {
  const { path: local, unmount } = mountIn(space.folder)
  try {
    space.write('compose.yaml', compose({ web: ['image: busybox:1.37', 'command: sleep 1000'] }))
    space.write('devtool.yml', manifest(local))
    fs.writeFileSync(join(local, 'README'), 'a')
    await space.must('deploy', '--wait')
    const up = space.start('up', 'web', '--yes')
    await up.says('ignores case: of README and readme in the container, only one can be here')
    await up.says('ready')
    const there = async (script: string): Promise<string> =>
      (await space.must('exec', 'web', '--', 'sh', '-c', script)).stdout
    const here = (): ReadonlyArray<string> => fs.readdirSync(local).filter((name) => !name.startsWith('.'))

    await there('echo one >/src/Notes; sleep 3; echo two >/src/notes; ln -s Notes /src/link')
    await up.says('notes cannot be written here: Notes has the same name to this file system')
    await up.says('link cannot be written here: the file system does not support it')
    assert.equal(here().toSorted(), ['Notes', 'README'])
    assert.is(fs.readFileSync(join(local, 'Notes'), 'utf8'), 'one\n')
    await there('rm /src/Notes /src/link')
    await until('the other one is here', () => here().includes('notes'))
    assert.is(fs.readFileSync(join(local, 'notes'), 'utf8'), 'two\n')
    await until('nothing is left to say', async () => !/cannot/.test((await space.must('status')).stdout))

    await there('mv /src/README /src/Readme')
    await until('the name has changed here', () => here().includes('Readme'))
    fs.renameSync(join(local, 'Readme'), join(local, 'readme'))
    await until('the name has changed there', async () => (await there('ls /src')) === 'notes\nreadme\n')
    assert.equal(here().toSorted(), ['notes', 'readme'])
    assert.is(await there('cat /src/readme'), 'a')
    up.child.kill('SIGINT')
    await up.ended
    await space.must('down', 'web')
  } finally {
    unmount()
  }
}

const all: ReadonlyArray<Scenario> = [
  {
    title: 'names that differ only in case are told, and lose nothing',
    space: 'case',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    unless: unmountable,
    run: cases,
  },
]

const test = suite('dev-sync-case')
await scenarios(test, all)
test.run()
