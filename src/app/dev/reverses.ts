/** Reverse forwards: ports of a development container that lead to this machine. */
import * as E from 'fp-ts/lib/Either.js'
import type { Reverse } from '../../domain/manifest/dev-model.ts'
import type { Placed } from '../../domain/text/written.ts'
import type { Link } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import type { DevSession } from './session.ts'

export type Reversed = Omit<Reverse, keyof Placed>

type Needs = Pick<Ports, 'clock' | 'network'>

type Context = {
  readonly session: DevSession
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

/** All addresses of the pod: programs in the cluster may connect, too. */
const everywhere = ''
/** The agent may still hold the port for the lost link. */
const retryMs = 1000
const mostTries = 30

/** Per port: anybody in the cluster may connect to the container. */
const mostConnections = 512

const listen = async (
  { clock, network }: Needs,
  { signal, tell }: Context,
  link: Link,
  { local, remote }: Reversed,
): Promise<void> => {
  let open = 0
  const dial = network.dial('localhost', local)
  const target: typeof dial = async () => {
    if (open === mostConnections) {
      tell(`${mostConnections} connections from port ${remote} of the container are open: others are refused`)
      return E.left(`${mostConnections} connections are open`)
    }
    open += 1
    const dialled = await dial()
    if (E.isRight(dialled)) dialled.right.once('close', () => void (open -= 1))
    else open -= 1
    return dialled
  }
  for (let tries = 1; !signal.aborted; tries += 1) {
    const listening = await link.listen({ host: everywhere, port: remote }, target)()
    if (E.isRight(listening) || listening.left._tag === 'Lost') return
    if (tries === mostTries)
      return tell(`port ${remote} of the container cannot be listened on: ${listening.left.reason}`)
    await clock.sleep(retryMs, signal)
  }
}

/** Opens them on each new link, until the session is over. */
export const keepReverses = async (
  needs: Needs,
  context: Context,
  reverses: ReadonlyArray<Reversed>,
): Promise<void> => {
  for (let lost: Link | undefined; ; ) {
    const found = await context.session.link('bulk', lost)()
    if (E.isLeft(found)) return
    const { link } = found.right
    await Promise.all(reverses.map((reverse) => listen(needs, context, link, reverse)))
    await link.closed()
    lost = link
  }
}
