/** `history`, `rollback` and `deploy --atomic` on a real cluster. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { editorOf } from '../support/e2e/account.ts'
import { compose, page } from '../support/e2e/apps.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const site = (word: string) => compose({ web: page(word, 'ports: [8080]') })

const broken = compose({ web: page('never', 'ports: [8080]', 'entrypoint: ["/no/such/program"]') })

/** The same scenario by an account that may do what the built-in role `edit` allows in the namespace, and nothing else. */
const asEditor =
  (run: (space: Space) => Promise<void>) =>
  async (space: Space, lab: Lab): Promise<void> => {
    const { context, kubeconfig } = await editorOf(lab, space)
    await run({ ...space, ...space.through(kubeconfig, context) })
  }

const wentBack = async (space: Space): Promise<void> => {
  for (const word of ['one', 'two']) {
    space.write('compose.yaml', site(word))
    await space.must('deploy', '--name', 'shop', '--wait')
  }
  const { stdout } = await space.must('history', '--name', 'shop')
  assert.match(stdout, /^2 .*deployed +1 changed +yes.*\n1 .*deployed +2 created +yes/m)
  assert.match((await space.must('history', '1', '--name', 'shop', '-o', 'yaml')).stdout, 'echo one')
  const plan = await space.get('Secret', 'devtool-env-shop.1')
  assert.is(textAt(plan, 'metadata', 'labels', 'dev.devtool/kind'), 'plan')
  await space.must('rollback', '--name', 'shop', '--yes', '--wait')
  await space.serves('web', 'one')
  await space.must('rollback', '2', '--name', 'shop', '--yes', '--wait')
  await space.serves('web', 'two')
  const destroyed = await space.must('destroy', '--name', 'shop', '--wait')
  assert.not.match(destroyed.stderr, 'warning')
  assert.equal(await space.list('Secret'), [])
}

const stayed = async (space: Space): Promise<void> => {
  space.write('compose.yaml', broken)
  const first = await space.run('deploy', '--name', 'shop', '--atomic')
  assert.is(first.status, 1, first.stderr)
  assert.equal(await space.list('Deployment'), [])
  space.write('compose.yaml', site('good'))
  await space.must('deploy', '--name', 'shop', '--wait')
  space.write('compose.yaml', broken)
  const second = await space.run('deploy', '--name', 'shop', '--atomic')
  assert.is(second.status, 1, second.stderr)
  assert.match(second.stderr, /back at deployment \d/)
  await space.serves('web', 'good')
  assert.match((await space.must('list')).stdout, /^shop +deployed/m)
}

const list: ReadonlyArray<Scenario> = [
  {
    title: 'rollback applies the plan before, or the one that is named, and destroy removes the plans',
    space: 'back',
    run: wentBack,
  },
  { title: 'deploy --atomic leaves nothing of a failed deploy behind', space: 'atomic', run: stayed },
  { title: 'the role edit is enough for rollback', space: 'editback', run: asEditor(wentBack) },
  { title: 'the role edit is enough for deploy --atomic', space: 'editatomic', run: asEditor(stayed) },
]

const test = suite('history')

await scenarios(test, list)

test.run()
