/**
 * A separate process for the end on this machine: the engine, or the tunnel for another program. Settings are in
 * $BENCH_SYNC.
 */
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { diskTree } from '../src/adapters/sync/disk-tree.ts'
import { fileJournal } from '../src/adapters/sync/journal.ts'
import { keeping } from '../src/adapters/sync/kept.ts'
import { syncSubsystem } from '../src/adapters/sync/messages.ts'
import { remoteTree } from '../src/adapters/sync/remote-tree.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemMachine } from '../src/adapters/system/machine.ts'
import { openSession } from '../src/app/dev/session.ts'
import { fill } from '../src/app/sync/fill.ts'
import { keepBase } from '../src/app/sync/keep-base.ts'
import { synchronise } from '../src/app/sync/synchronise.ts'
import type { LinkKeys } from '../src/domain/dev/keys.ts'
import type { Link } from '../src/ports/link.ts'
import { realLinks } from '../test/support/dev/links.ts'
import { agentPort, rightOf } from '../test/support/e2e/dev-pod.ts'
import { connectReal } from '../test/support/e2e/real-cluster.ts'

type Settings = {
  readonly namespace: string
  readonly keys: LinkKeys
  readonly pods: string
  readonly local: string
  readonly remote: string
  readonly store: string
  /** The port to forward instead. */
  readonly port?: number
}
const settings: Settings = JSON.parse(process.env['BENCH_SYNC'] ?? '')
const say = (text: string): unknown => process.stdout.write(`${text}\n`)

const own = async (link: Link): Promise<void> => {
  const { local, remote, store } = settings
  const here = diskTree({
    clock: systemClock,
    root: local,
    isIgnored: () => false,
    keep: keeping(join(store, 'kept'), systemClock.wallMs),
  })
  const engine = synchronise(systemClock, {
    here,
    keeper: keepBase(fileJournal(join(store, 'base'))),
    modeOf: () => 'two-way',
    machine: 'bench',
    user: 'bench',
    newId: () => 'bench',
    whose: () => TE.right('Mine'),
    say: (notice) => {
      say(notice._tag)
      if (notice._tag !== 'Complete') console.error(JSON.stringify(notice))
    },
  })
  const there = await rightOf(
    remoteTree(systemClock, await rightOf(link.subsystem(syncSubsystem)), {
      root: remote,
      ignores: '',
      isEager: true,
      session: 'one',
    }),
  )
  await rightOf(
    engine.link(
      there,
      fill(here, there, () => {}),
    ),
  )
}

const tunnel = (link: Link, port: number): void => {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    void link.forward(socket, { host: '127.0.0.1', port })()
  })
  server.listen(0, '127.0.0.1', () => say(`port ${JSON.stringify(Object(server.address()).port)}`))
}

const { keys, namespace, pods, port } = settings
const cluster = await connectReal()
const session = openSession({ clock: systemClock, links: realLinks, machine: systemMachine() })(
  { cluster, keys, namespace, pods, container: 'app', port: agentPort, patienceMs: 60_000 },
  new AbortController().signal,
)
const { link } = await rightOf(session.link('bulk'))
if (port === undefined) await own(link)
else tunnel(link, port)
process.stdin.on('end', () => process.exit(0)).resume()
