/**
 * Commands of pages that have no test of their own, typed as they are. The namespace has a name of this test, and lines
 * that ask a person get `--yes`.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { docLines } from '../support/cli/doc-commands.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { shellIn } from '../support/e2e/typed.ts'

const developing = ['devtool up api', 'devtool up api web', 'devtool status --info']

const readPages = async (space: Space, { context }: Lab): Promise<void> => {
  cpSync(join(import.meta.dirname, '../../examples'), join(space.folder, 'examples'), { recursive: true })
  const { enter, must } = shellIn({ home: space.folder, context })
  const lines = docLines(
    [
      { page: 'README.md', heading: 'Use it in CI' },
      ...['coming-from', 'goldens', 'manifest'].map((name) => ({ page: `docs/${name}.md` })),
    ],
    Object.fromEntries(developing.map((line) => [line, 'test/e2e/doc-develop.test.ts types it'])),
  )
  const deployed = (line: string): Promise<unknown> => must(lines.the(line).replace('devtool deploy', '$& --yes'))
  await must(`devtool context use staging --namespace ${space.namespace}`)
  enter('examples/vote')
  await must(lines.the('devtool deploy --yes --wait'))
  assert.is((await must(lines.the('devtool deploy --diff'))).stdout, '')
  await deployed('devtool deploy --wait')
  await deployed('devtool deploy --atomic')
  await must(lines.the('devtool destroy --volumes'))
  assert.equal(await space.list('PersistentVolumeClaim'), [])
  await must(`devtool deploy --dry-run --namespace ${space.namespace} --output files=k8s`)
  assert.match((await must(lines.the('kubectl apply -k k8s'))).stdout, /deployment.apps\/vote/)
  lines.the('kubectl apply -k')
  assert.equal(lines.left(), [])
}

const test = suite('doc-pages')

await scenarios(test, [{ title: 'commands of pages without a test of their own', space: 'doc-pages', run: readPages }])

test.run()
