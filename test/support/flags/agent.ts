/** Development containers in memory: their pods run at once, and each requested program ends at once. */
import { Duplex, PassThrough } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { MIRROR_LABEL } from '../../../src/domain/k8s/labels.ts'
import type { TreeMarker } from '../../../src/domain/sync/folder.ts'
import type { Link } from '../../../src/ports/link.ts'
import type { Ports } from '../../../src/ports/ports.ts'
import type { OpenTree } from '../../../src/ports/tree.ts'
import { memoryClock } from '../../memory/clock.ts'
import type { MemoryCluster } from '../../memory/cluster.ts'
import { idleLink, noLinks } from '../../memory/links.ts'
import { memoryFolder } from '../../memory/synced-folders.ts'
import { memoryEnd } from '../sync/memory-end.ts'
import { newDisk } from '../sync/memory-world.ts'

/** Like controllers and kubelets. `log`: gets what is started. */
export const startMirrors = (cluster: MemoryCluster, log: Array<unknown>): void => {
  cluster.onChange(({ _tag, object: { kind, metadata, ...more } }) => {
    const mirror = metadata.labels?.[MIRROR_LABEL]
    const { namespace } = metadata
    if (kind !== 'Deployment' || mirror === undefined) return
    const name = `${mirror}-1`
    if (_tag === 'Removed') return cluster.take('Pod', name, namespace)
    const startedAt = '2026-11-21T10:00:00Z'
    const { spec } = JSON.parse(JSON.stringify(more))
    log.push(['started', mirror, spec.template.spec])
    const { containers } = spec.template.spec
    for (const port of [2222, 22_222]) cluster.serve(`${namespace}/${name}`, port, () => {})
    cluster.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, uid: name, namespace, labels: { [MIRROR_LABEL]: mirror } },
      spec: { containers },
      status: {
        phase: 'Running',
        containerStatuses: containers.map((one: { readonly name: string }) => ({
          name: one.name,
          restartCount: 0,
          state: { running: { startedAt } },
        })),
      },
    })
  })
}

/** `meanwhile`: called while a program runs. */
const linkOf = (log: Array<unknown>, meanwhile: () => Promise<unknown>): Link => ({
  ...idleLink,
  run: (program) => {
    log.push(['run', program])
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    for (const output of [stdout, stderr]) output.end()
    const from = { output: 0, errors: 0 }
    const deaf = { resize: () => {}, signal: () => {}, received: () => {} }
    return TE.right({ from, taken: 0, stdin, stdout, stderr, ...deaf, exit: () => meanwhile().then(() => E.right(0)) })
  },
  subsystem: () => TE.right(new PassThrough()),
})

const calm = { below: () => 0, chance: (share: number) => share === 0.5, pick: () => undefined }

const emptyTree = (marker?: TreeMarker): OpenTree => ({
  ...memoryEnd(memoryClock(), { ...newDisk(), marker }, { random: calm, losesEvents: false }),
  makeAll: () => TE.right([]),
  polled: TE.right(undefined),
  close: () => {},
})

/** The container's folder was synchronised by somebody else. */
const marker = { id: 'm1', machine: 'laptop', user: 'ben', atMs: 0 }

const synced = (log: Array<unknown>): Ports['syncedFolders'] => ({
  locate: (root) => TE.right({ root }),
  open: () => TE.right(memoryFolder(emptyTree())),
  diary: () => TE.right(''),
  serve: () => TE.left('nothing is served'),
  reach: (_link, { root }) => {
    log.push(['reach', root])
    return TE.right(emptyTree(marker))
  },
})

/** `log`: gets the requests. */
export const memoryAgent = (
  log: Array<unknown>,
  meanwhile: () => Promise<unknown>,
): Pick<Ports, 'background' | 'links' | 'syncedFolders'> => ({
  links: {
    ...noLinks,
    connect: (bytes) => {
      if (bytes instanceof Duplex) bytes.resume()
      return TE.right(linkOf(log, meanwhile))
    },
  },
  syncedFolders: synced(log),
  background: {
    given: undefined,
    ready: async () => {},
    start: (given) => {
      log.push(['background', given])
      return TE.right({ pid: 2 })
    },
  },
})
