/** `deploy --dependencies`: what is asked before a dependency is replaced. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { main } from '../../../src/cli/main.ts'
import type { GitTip } from '../../../src/ports/git.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryPrompt } from '../../memory/prompt.ts'
import { worldOf } from '../../support/cli/cli.ts'
import { record } from '../../support/cluster/destroy.ts'

const repository = 'https://git.test/team/lib.git'
const manifest = `name: shop
dependencies:
  lib: {repository: "${repository}", branch: next}
deploy: [echo deployed]
`
const commit = (digit: string): string => digit.repeat(40)
const main1: GitTip = { branch: 'main', commit: commit('1') }

type Outcome = {
  readonly status: number
  readonly stderr: string
  readonly asked: ReadonlyArray<string>
  readonly ran: number
}

/** `from`: what the cluster has of the dependency; `to`: what its repository has now. */
const deploy = async (
  { answer, from, to }: { readonly answer?: 'yes' | 'no'; readonly from?: GitTip; readonly to: GitTip },
  ...flags: ReadonlyArray<string>
): Promise<Outcome> => {
  const asked: Array<string> = []
  let ran = 0
  const prompt = memoryPrompt(new Map(answer === undefined ? [] : [['--yes', answer]]))
  const objects = from === undefined ? [] : [record({ environment: 'lib', source: { repository, ...from } }, 'demo')]
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }
  const cluster = memoryCluster({ objects: [namespace, ...objects] })
  const { err, ports: memory, world } = worldOf({ files: { 'devtool.yml': manifest } })
  const { cluster: _unused, ...rest } = memory
  const ports = {
    ...rest,
    clusters: memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']])),
    git: {
      head: () => Promise.resolve({}),
      tip: () => TE.right(to),
      clone: () => TE.right({ folder: '/tmp/clone', remove: () => Promise.resolve() }),
    },
    commands: {
      ...rest.commands,
      run: () => {
        ran += 1
        return TE.right(0)
      },
    },
    prompt: {
      ...prompt,
      confirm: (question: Parameters<typeof prompt.confirm>[0]) => {
        asked.push(question.text)
        return prompt.confirm(question)
      },
    },
  }
  const argv = ['deploy', '--context', 'test', ...flags]
  const status = await main(argv, { ...world, ports: () => Promise.resolve(ports) })
  return { status, stderr: err(), asked, ran }
}

const again = '--dependencies'
const next2: GitTip = { branch: 'next', commit: commit('2') }
const question =
  'replace the dependency lib, deployed from branch main, commit 1111111, by branch next, commit 2222222?'

test('another branch needs confirmation, and replaces the deployed one after "yes"', async () => {
  const { asked, ran, status, stderr } = await deploy({ answer: 'yes', from: main1, to: next2 }, again)
  assert.equal([status, asked, ran], [0, [question], 2], stderr)
})

test('after "no", nothing is deployed', async () => {
  const { asked, ran, status, stderr } = await deploy({ answer: 'no', from: main1, to: next2 }, again)
  assert.equal([status, asked, ran], [5, [question], 0], stderr)
  assert.match(stderr, 'DT3154: the dependency "lib" was not replaced')
})

test('another commit of the branch needs confirmation', async () => {
  const { asked } = await deploy({ answer: 'yes', from: { branch: 'next', commit: commit('1') }, to: next2 }, again)
  assert.equal(asked.length, 1)
})

test('--yes confirms', async () => {
  const { asked, ran, status } = await deploy({ from: main1, to: next2 }, again, '--yes')
  assert.equal([status, asked, ran], [0, [], 2])
})

test('without a terminal and without --yes, the flag is named and nothing is deployed', async () => {
  const { ran, status, stderr } = await deploy({ from: main1, to: next2 }, again)
  assert.equal([status, ran], [5, 0], stderr)
  assert.match(stderr, /DT2101: cannot ask[^]*--yes/)
})

test('the same commit, and a dependency that is not deployed yet, need no confirmation', async () => {
  const same = await deploy({ from: next2, to: next2 }, again)
  assert.equal([same.status, same.asked, same.ran], [0, [], 2], same.stderr)
  const first = await deploy({ to: next2 }, again)
  assert.equal([first.status, first.asked, first.ran], [0, [], 2], first.stderr)
})

test('without --dependencies it is left as it is, and its source is printed', async () => {
  const { asked, ran, status, stderr } = await deploy({ from: main1, to: next2 }, '--progress', 'plain')
  assert.equal([status, asked, ran], [0, [], 1], stderr)
  assert.match(stderr, 'already deployed, from branch main, commit 1111111; --dependencies deploys branch next')
})

test.run()
