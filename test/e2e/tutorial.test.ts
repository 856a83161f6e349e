/**
 * The tutorial from where it needs a cluster, with its own application: each line is typed, and what is shown is what comes.
 * Durations differ from run to run, and the namespace has a name of this test.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import { blocksIn, type DocBlock, docLines, typedIn } from '../support/cli/doc-commands.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { adapted, answered, shellIn } from '../support/e2e/typed.ts'

const page = 'docs/tutorial.md'
const blocksOf = (heading: string): readonly [DocBlock, DocBlock] => {
  const [first, second, ...more] = blocksIn(page, heading)
  if (first === undefined || second === undefined || more.length > 0) throw new Error(`${heading} has two blocks`)
  return [first, second]
}
const [deploying, looking] = blocksOf('4. Deploy it')
const [changing, ending] = blocksOf('5. Change it, and go back')
const doc = docLines([{ page }], {
  'kubectl config get-contexts': 'the scenario has one context, which it names',
  'kubectl create namespace hello': 'the scenario has made its namespace',
})

/** The file that the reader has after the third step. */
const application = (): string => {
  const files = blocksIn(page, '2. See what a file becomes').filter(({ language }) => language === 'yaml')
  return `${files.at(-1)?.lines.join('\n')}\n`.replace('nginx:1.29', 'nginx:1.31')
}

/** Without what differs in every run: how long it took, what was waited for meanwhile, the address of the server. */
const lasting = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines
    .map((line) =>
      line
        .trimEnd()
        .replace(/ +\d[\d.ms]*s {2}/, ' DURATION ')
        .replace(/ ready \(.*\)$/, ' ready')
        .replace(/(cluster|at) https:\S+/, '$1 SERVER'),
    )
    .filter((line) => line !== '' && line !== 'status 0')

const follow = async (space: Space, { context }: Lab): Promise<void> => {
  const { namespace } = space
  const shell = shellIn({ home: space.folder, context })
  const typed = (line: string): string => adapted(doc.the(line), 'hello', namespace)
  const imageOf = async (name: string): Promise<string | undefined> =>
    textAt((await space.get('Deployment', name)) ?? {}, 'spec', 'template', 'spec', 'containers', 0, 'image')
  space.write('hello/compose.yaml', application())
  shell.enter('hello')

  const said: Array<string> = []
  for (const line of typedIn(deploying)) {
    if (line.startsWith('devtool context')) said.push(...(await shell.must(typed(line))).stderr.split('\n'))
    if (line.startsWith('devtool deploy'))
      said.push(...(await answered(shell, typed(line), 'first change in the cluster')))
  }
  const shown = deploying.lines
    .filter((line) => !line.startsWith('$ '))
    .map((line) =>
      line.replace(/namespace hello/, `namespace ${namespace}`).replace('-hello.apps', `-${namespace}.apps`),
    )
  assert.equal(lasting(said), lasting(shown))

  assert.match((await shell.must(typed('devtool forward web 8080'), { until: / -> / })).stdout, /:8080 -> web:8080$/m)
  const tables = new Map<string, string>()
  for (const line of typedIn(looking)) tables.set(line, (await shell.must(typed(line))).stdout)
  for (const name of ['web', 'cache']) assert.match(tables.get('devtool list hello') ?? '', name)

  const file = `${space.folder}/hello/compose.yaml`
  const [, from = '', to = ''] =
    /Change `(\S+)` to `(\S+)`/.exec(readFileSync(join(root, page), 'utf8').split('\n## 5. ')[1] ?? '') ?? []
  space.write('hello/compose.yaml', readFileSync(file, 'utf8').replace(from, to))
  const before = await space.get('Deployment', 'web')
  for (const line of typedIn(changing)) {
    if (line === 'devtool rollback') {
      assert.is(await imageOf('cache'), to)
      assert.match((await answered(shell, typed(line), 'go back to deployment 1')).join('\n'), 'hello is back at')
      continue
    }
    const { status, stderr, stdout } = await shell.type(typed(line))
    assert.is(status, line.includes('--diff') ? 1 : 0, `${line}: ${stderr}`)
    if (line.includes('--diff')) assert.match(stdout, new RegExp(`\\+ +image: ${to} # from compose.yaml:10`))
    if (line === 'devtool history') assert.is(stdout.trim().split('\n').length, 3, 'a heading and two deployments')
  }
  assert.is(await imageOf('cache'), from)
  assert.equal((await space.get('Deployment', 'web'))?.metadata.generation, before?.metadata.generation)
  assert.match(readFileSync(file, 'utf8'), to, 'the file is as it was')

  for (const line of typedIn(ending)) await shell.must(typed(line))
  const staying = (await space.list('Deployment')).filter(
    (live) => textAt(live, 'metadata', 'deletionTimestamp') === undefined,
  )
  assert.equal(staying, [])
  assert.equal(doc.left(), [])
}

const test = suite('tutorial')

await scenarios(test, [{ title: 'the tutorial works as shown on a cluster', space: 'hello', run: follow }])

test.run()
