/** The rounds of `up` and `down`, as the commands would make them for a manifest with one development container. */
import { readdirSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { liveOf, type Observed } from '../../../src/domain/cluster/live.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import { mirrorName } from '../../../src/domain/dev/names.ts'
import { recordOf } from '../../../src/domain/dev/record.ts'
import { planDown } from '../../../src/domain/dev/restore.ts'
import type { Round } from '../../../src/domain/dev/round.ts'
import type { DevKind } from '../../../src/domain/dev/workload.ts'
import { devOf, requestOf } from '../dev/request.ts'

const base64 = (path: string): string => readFileSync(path).toString('base64')

const agentFiles = () =>
  Object.fromEntries(readdirSync('dist/agent').map((name) => [name, base64(`dist/agent/${name}`)]))

const requestFor = (name: string, volume: string) =>
  requestOf(devOf({ 'devtool.yml': `dev:\n  ${name}:\n    volumes: [${volume}]\n` }), {
    consents: new Set(['Application', 'Nodes', 'RunningJob']),
    agent: {
      image: 'node:22.23-bookworm-slim',
      files: agentFiles(),
      keys: { host_key: 'YQ==', 'client_key.pub': 'Yg==' },
    },
  })

export const up =
  (name: string, volume = '/cache') =>
  (observed: Observed): Round => {
    const planned = planUp(requestFor(name, volume), observed)
    if (E.isLeft(planned)) throw new Error(planned.left.map(({ message }) => message).join('\n'))
    return planned.right
  }

export const down =
  (kind: DevKind, name: string, withVolumes = false) =>
  (observed: Observed): Round => {
    const live = liveOf(observed, 'ConfigMap', mirrorName(kind, name))
    if (live === undefined) return { actions: [], waitsFor: [] }
    const record = recordOf(live)
    if (E.isLeft(record)) throw new Error(record.left.message)
    return planDown({ record: record.right, withVolumes }, observed)
  }
