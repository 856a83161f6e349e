/** `up` and `down` that are killed, in a form short enough for every run; `npm run soak:dev` is the long one. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Kill, killedDown, killedUp, manifestOf } from '../support/e2e/dev-kills.ts'
import { everyKind, makeWorkload, stateOf } from '../support/e2e/developed.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { connectReal } from '../support/e2e/real-cluster.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'

const upKills: ReadonlyArray<Kill> = [{ afterWrite: 1 }, { afterWrite: 4 }, { afterWrite: 6 }, { afterMs: 2500 }]
const downKills: ReadonlyArray<Kill> = [{ afterWrite: 1 }, { afterWrite: 3 }]

const all: ReadonlyArray<Scenario> = everyKind
  .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  .map((developed) => ({
    title: `${developed.kind}: down from elsewhere restores it after up or down was killed`,
    space: developed.kind.toLowerCase(),
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: async (space: Space) => {
      const cluster = await connectReal()
      const place = { cluster, namespace: space.namespace }
      space.write('devtool.yml', manifestOf(developed))
      await makeWorkload(place, developed)
      const trial = { space, place, developed, before: await stateOf(place, developed) }
      const ended = [
        ...(await inTurn(upKills, (kill, isOther) => killedUp({ ...trial, isOther }, kill))),
        ...(await inTurn(downKills, (kill, isOther) => killedDown({ ...trial, isOther }, kill))),
      ]
      assert.ok(ended.filter((writes) => writes === undefined).length > 4)
      cluster.close()
    },
  }))

const inTurn = async <A>(
  kills: ReadonlyArray<Kill>,
  run: (kill: Kill, isOther: boolean) => Promise<A>,
): Promise<ReadonlyArray<A>> => {
  const results: Array<A> = []
  for (const [index, kill] of kills.entries()) results.push(await run(kill, index % 2 === 1))
  return results
}

const test = suite('dev-kills')
await scenarios(test, all)
test.run()
