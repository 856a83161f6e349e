/**
 * The pages about development containers and their files, typed as they are: the README's chapter, docs/up.md and
 * docs/sync.md. A namespace and words in capitals have values of this test, and `npm` is a stand-in that the folder has.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksIn, type DocLines, docLines } from '../support/cli/doc-commands.ts'
import { editorOf } from '../support/e2e/account.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { type Shell, shellIn } from '../support/e2e/typed.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const env = { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' }

const newShell = async ({ folder, namespace }: Space, { context }: Lab): Promise<Shell> => {
  const shell = shellIn({ home: folder, context, env })
  shell.enter('project')
  await shell.must(`devtool context use staging --namespace ${namespace}`)
  return shell
}

const allTyped = (lines: DocLines): void => assert.equal(lines.left(), [])

/** What a terminal shows in every run: without durations, ports and what the node has been busy with. */
const lasting = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) =>
    line
      .trimEnd()
      .replace(/localhost:\d+/, 'localhost:PORT')
      .replace(/ *(?:\d+m)?\d+(?:\.\d+)?s\b */, ' TIME ')
      .replace(/ \(\D.*\ds\)$/, ''),
  )

/** The question that is only asked once, what the official busybox does not say, and what only slow machines are told. */
const onceOrLate =
  /first change|status 0|BusyBox|Enter 'help'|still being sent|no connection|connection lost|connected again/

const readChapter = async (space: Space, lab: Lab): Promise<void> => {
  const chapter = { page: 'README.md', heading: 'Develop in the cluster' }
  const [file] = blocksIn(chapter.page, chapter.heading)
  const text = (file?.lines ?? []).join('\n').replace('18080:', `${await freePort()}:`)
  space.write('project/devtool.yml', `${text}\n`)
  const block = blocksIn(chapter.page, chapter.heading).find(({ lines }) => lines[0]?.startsWith('$ '))
  const expected = (block?.lines ?? []).slice(1).map((line) => line.replace(/\bvote\b/, space.namespace))
  const lines = docLines([chapter])
  const { inTerminal, must } = await newShell(space, lab)
  await inTerminal(lines.the('devtool up api'), async (terminal) => {
    terminal.resize(200, 50)
    // Nothing in this cluster was changed from here before.
    await terminal.until(/\(y\/n\)|\[y\/N\]|yes/i)
    terminal.type('y')
    terminal.press('Enter')
    await terminal.until(/^\/tmp #/m, 180)
    terminal.type('echo $COLOR')
    terminal.press('Enter')
    await terminal.until(/^blue$/m)
    await terminal.until('synchronised: ')
    terminal.type('exit')
    terminal.press('Enter')
    await terminal.until('status 0')
    const shown = terminal.shown().split('\n')
    const said = shown.filter((line) => line !== '' && !onceOrLate.test(line))
    // In the order of a fast machine: the files may still be on their way when the terminal opens.
    assert.equal(lasting(said).toSorted(), lasting(expected).toSorted())
  })
  assert.match((await must(lines.the('devtool exec -- env'))).stdout, /^COLOR=blue$/m)
  await must(lines.the('devtool up api --detach'))
  assert.match((await must(lines.the('devtool status'))).stdout, /api/)
  await must(lines.the('devtool down'))
  assert.equal(await space.list('Deployment', 'dev.devtool/mirror'), [])
  allTyped(lines)
}

const developed = `name: shop
services:
  api: { image: "busybox:1.37", command: sleep 3600, stop_grace_period: 0s }
  web: { image: "busybox:1.37", command: sleep 3600, stop_grace_period: 0s }
dev:
  api: { command: "echo api works; sleep 1000", workdir: /work, sync: [".:/work"], environment: { PATH: "/work/bin:/bin:/usr/bin" } }
  web: { command: "echo web works; sleep 1000", workdir: /work, sync: ["src:/work"], persistentVolume: { enabled: false } }
`

/** The command of the session in the background, which is left running. */
const attached = (shell: Shell, line: string): Promise<void> =>
  shell.inTerminal(line, async (terminal) => {
    await terminal.until('leaves it running')
    await terminal.until(/^api works$/m)
    terminal.press('C-p', 'C-q')
    await terminal.until('status 0')
  })

const readUp = async (space: Space, lab: Lab): Promise<void> => {
  space.write('project/devtool.yml', developed)
  space.write('project/src/main.ts', 'mine')
  space.write('project/bin/npm', '#!/bin/sh\necho "npm: $*"\n')
  const shell = await newShell(space, lab)
  const { must } = shell
  const lines = docLines([{ page: 'docs/up.md' }])
  await must('chmod +x bin/npm')
  const remember = lines.the('devtool context use NAME --agent-image IMAGE').replace('NAME', 'staging')
  await must(remember.replace('IMAGE', env.DEVTOOL_AGENT_IMAGE))
  await must('devtool deploy --yes --wait')
  await must(lines.the('devtool up api --detach'))
  await until('the files are there', async () => (await shell.type('devtool exec -- ls bin/npm')).status === 0)
  assert.is((await must(lines.the('devtool exec -- npm test'))).stdout, 'npm: test\n')
  await must(lines.the('devtool exec api -- sh'))
  assert.match((await must(lines.the('devtool status'))).stdout, /api/)
  await must("devtool exec -- sh -c 'mkdir -p /var/log; echo logged >/var/log/app.log'")
  await must(lines.the('ssh api.shop.devtool').replace('shop', space.namespace))
  await must(lines.the('scp api.shop.devtool:/var/log/app.log .').replace('shop', space.namespace))
  assert.is(readFileSync(join(space.folder, 'project/app.log'), 'utf8'), 'logged\n')
  await attached(shell, lines.the('devtool up api'))
  const listed = await must(
    lines.the('kubectl get all,configmap,secret,pvc --selector dev.devtool/kind=up') + ` -n ${space.namespace}`,
  )
  assert.match(listed.stdout, /configmap\/[^]*secret\//)
  await must(lines.the('devtool restart'))
  await must(lines.the('devtool down api'))

  await must(lines.the('devtool up api web'), { until: /api.*works[^]*web.*works|web.*works[^]*api.*works/ })
  await must(lines.the('devtool down api --volumes'))
  await until('the volume is gone', async () => {
    return (await space.list('PersistentVolumeClaim', 'dev.devtool/kind=up')).length === 0
  })
  await must(lines.the('devtool down'))
  await must(lines.the('devtool down --all'))
  assert.equal(await space.list('Deployment', 'dev.devtool/mirror'), [])

  const other = await editorOf(lab, space)
  const file = space.write('other/devtool.yml', developed.replace(/ {2}web: \{ command[^]*/, ''))
  const theirs = shellIn({ home: dirname(file), ...other, env })
  await theirs.must(`devtool context use ${other.context} --namespace ${space.namespace}`)
  await must('devtool up api --detach')
  await theirs.must(`${lines.the('devtool up --take-over')} --detach --yes`)
  await must(lines.the('devtool down NAME --take-over').replace('NAME', 'api'))
  // It may be run again at any time.
  await must(lines.the('devtool down NAME').replace('NAME', 'api'))
  allTyped(lines)
}

const readSync = async (space: Space, lab: Lab): Promise<void> => {
  space.write('project/devtool.yml', developed)
  for (let index = 0; index < 30; index += 1) space.write(`project/many/${index}`, 'one of many')
  const file = space.write('project/src/main.ts', 'mine')
  const shell = await newShell(space, lab)
  const { must, type } = shell
  const lines = docLines([{ page: 'docs/sync.md' }])
  const here = (path: string): boolean => existsSync(join(space.folder, 'project', path))
  const inPod = async (script: string): Promise<boolean> =>
    (await type(`devtool exec -- sh -c '${script}'`)).status === 0
  await must('devtool up api --detach --yes')
  const removed = async (path: string): Promise<void> => {
    await until(`${path} is in the container`, () => inPod(`test -e ${path}`))
    assert.ok(await inPod(`rm -r ${path}`))
  }
  const removedAtBothEnds = async (path: string): Promise<void> => {
    await removed(path)
    await until(`${path} is gone here`, () => !here(path))
  }

  await removedAtBothEnds('src/main.ts')
  assert.match((await must(lines.the('devtool sync kept'))).stdout, 'src/main.ts')
  assert.match((await must(lines.the('devtool sync kept src'))).stdout, 'src/main.ts')
  assert.match((await must(lines.the('devtool sync kept PATH').replace('PATH', 'src/main.ts'))).stdout, 'src/main.ts')
  for (const line of ['devtool sync restore src/main.ts', 'devtool sync restore src', 'devtool sync restore PATH']) {
    if (here('src/main.ts')) await removedAtBothEnds('src/main.ts')
    await must(lines.the(line).replace('PATH', 'src/main.ts'))
    assert.is(readFileSync(file, 'utf8'), 'mine')
  }
  await until('it is in the container again', () => inPod('grep -qx mine src/main.ts && echo theirs >src/main.ts'))
  await until('it is theirs here', () => readFileSync(file, 'utf8') === 'theirs\n')
  await must(lines.the('devtool sync restore src/main.ts --overwrite'))
  assert.is(readFileSync(file, 'utf8'), 'mine')
  await must(lines.the('devtool sync conflicts'))
  await must(lines.the('devtool sync explain PATH').replace('PATH', 'src/main.ts'))

  const isAsked = async (): Promise<boolean> => (await type('devtool status')).stdout.includes('devtool sync allow')
  await removed('many/')
  await until('there is a question', isAsked)
  await must(lines.the('devtool sync refuse api'))
  await until('the files are back', () => inPod('test -e many/29'))
  await removed('many/')
  await until('there is a question again', isAsked)
  await must(lines.the('devtool sync allow api'))
  await until('the files are gone here', () => !here('many/29'))

  assert.match((await must(lines.the('devtool status'))).stdout, /api/)
  await must(lines.the('devtool status --watch'), { until: /api/ })
  assert.match((await must(lines.the('devtool status --info'))).stdout, /http:\/\/127\.0\.0\.1/)
  await must('devtool down api')
  allTyped(lines)
}

const test = suite('doc-develop')

await scenarios(test, [
  { title: 'the chapter about development of the README', space: 'doc-readme', run: readChapter },
  { title: 'docs/up.md', space: 'doc-up', run: readUp },
  { title: 'docs/sync.md', space: 'doc-sync', run: readSync },
])

test.run()
