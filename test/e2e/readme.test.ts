/**
 * The README's chapter on a cluster, run line by line as it is typed, on a terminal where a person is asked. The namespace
 * has a name of its own.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { blocksIn, type DocBlock, docLines, typedIn } from '../support/cli/doc-commands.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { adapted, answered, shellIn } from '../support/e2e/typed.ts'

const root = join(import.meta.dirname, '../..')
const place = { page: 'README.md', heading: 'On a cluster' }
const chapter = blocksIn(place.page, place.heading)
const doc = docLines([place], { 'kubectl create namespace vote': 'the scenario has made its namespace' })
const blockWith = (text: string): DocBlock => {
  const found = chapter.find(({ lines }) => lines.some((line) => line.includes(text)))
  if (found === undefined) throw new Error(`no block of the chapter has "${text}"`)
  return found
}

/** What devtool prints that is the same in every run: questions, addresses, and names of what was deployed. */
const lasting = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap(
    (line) =>
      /^(?:https?:\S+|deployed .*|using .*|. first change .*|✓ (?:configuration and volumes|\w+))/
        .exec(line.replace(/(cluster|at) https:\S+/, '$1 SERVER'))
        ?.at(0) ?? [],
  )

const readChapter = async (space: Space, lab: Lab): Promise<void> => {
  const { namespace } = space
  cpSync(join(root, 'examples'), join(space.folder, 'examples'), { recursive: true })
  const shell = shellIn({ home: space.folder, context: lab.context })
  const [first, second] = [blockWith('kubectl create namespace'), blockWith('devtool rollback')]
  const said: Array<string> = []
  for (const line of typedIn(first)) {
    // The scenario has made the namespace.
    if (line.startsWith('kubectl create namespace')) continue
    if (line.startsWith('cd ')) {
      shell.enter(line.slice(3))
      continue
    }
    const typed = adapted(doc.the(line), 'vote', namespace)
    if (line.startsWith('devtool deploy')) said.push(...(await answered(shell, typed, 'first change in the cluster')))
    else said.push(...(await shell.must(typed)).stderr.split('\n'))
  }
  const own = first.lines.map((shown) =>
    shown.replace('namespace vote', `namespace ${namespace}`).replace('-vote.apps', `-${namespace}.apps`),
  )
  assert.equal(lasting(said).toSorted(), lasting(own).toSorted())
  for (const line of typedIn(second)) {
    const typed = adapted(doc.the(line), 'vote', namespace)
    if (line.startsWith('devtool rollback')) {
      const shown = await answered(shell, typed, 'go back to deployment 1')
      assert.match(shown.join('\n'), 'vote is back at deployment 1')
      continue
    }
    const waited = line.startsWith('devtool forward') ? { until: / -> / } : {}
    const { status, stderr, stdout } = await shell.type(typed, waited)
    const expected = line.includes('--diff') ? 1 : line.includes('forward') ? 130 : 0
    assert.is(status, expected, `${line}: ${stderr}`)
    if (line.includes('--diff')) assert.match(stdout, /\+ +value: Tea # from compose.yaml:\d+/)
    if (line.startsWith('devtool list')) for (const name of ['db', 'migrate', 'worker']) assert.match(stdout, name)
  }
  const staying = (await space.list('Deployment')).filter(
    (live) => textAt(live, 'metadata', 'deletionTimestamp') === undefined,
  )
  assert.equal(
    staying.map(({ metadata }) => metadata.name),
    [],
  )
}

const crashing = `
name: blog
services:
  api: {image: "busybox:latest", entrypoint: [sh, -c, "echo starting; echo cannot reach db:5432; exit 1"]}
`

const readFailure = async (space: Space, lab: Lab): Promise<void> => {
  const { namespace } = space
  const shell = shellIn({ home: space.folder, context: lab.context })
  await shell.must(`devtool context use staging --namespace ${namespace}`)
  space.write('compose.yaml', crashing)
  const block = blockWith('devtool deploy --namespace blog')
  const [line = ''] = typedIn(block)
  const { status, stderr } = await shell.type(`${adapted(doc.the(line), 'blog', namespace)} --yes`)
  assert.is(status, 1, stderr)
  for (const shown of block.lines.slice(1)) {
    assert.match(
      stderr.replaceAll(namespace, 'blog').replaceAll(/\bapi-\w+-\w+/g, 'POD'),
      shown.replace(/\bapi-\w+-\w+/, 'POD'),
    )
  }
}

const test = suite('readme')

await scenarios(test, [
  { title: 'the commands of the chapter on a cluster work as shown', space: 'readme', run: readChapter },
  { title: 'a workload that cannot start is explained as shown in the README', space: 'blog', run: readFailure },
])

test('no command of the chapter is left', () => assert.equal(doc.left(), []))

test.run()
