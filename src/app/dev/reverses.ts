/** Ports of a development container whose connections lead to this machine. */
import * as E from 'fp-ts/lib/Either.js'
import type { Reverse } from '../../domain/manifest/dev-model.ts'
import type { Placed } from '../../domain/text/written.ts'
import type { Link } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import type { DevSession } from './session.ts'

export type Reversed = Omit<Reverse, keyof Placed>

type Needs = Pick<Ports, 'clock' | 'network'>

type Around = {
  readonly session: DevSession
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

/** All addresses of the pod: what is in the cluster may connect, too. */
const everywhere = ''
/** The agent may not have noticed yet that the last link, which had the port, is lost. */
const retryMs = 1000
const mostTries = 30

const listen = async (
  { clock, network }: Needs,
  { signal, tell }: Around,
  link: Link,
  { local, remote }: Reversed,
): Promise<void> => {
  const target = network.dial('localhost', local)
  for (let tries = 1; !signal.aborted; tries += 1) {
    const listening = await link.listen({ host: everywhere, port: remote }, target)()
    if (E.isRight(listening) || listening.left._tag === 'Lost') return
    if (tries === mostTries)
      return tell(`port ${remote} of the container cannot be listened on: ${listening.left.reason}`)
    await clock.sleep(retryMs, signal)
  }
}

/** On each new link, until the session is over. */
export const keepReverses = async (needs: Needs, around: Around, reverses: ReadonlyArray<Reversed>): Promise<void> => {
  for (let lost: Link | undefined; ; ) {
    const found = await around.session.link('bulk', lost)()
    if (E.isLeft(found)) return
    const { link } = found.right
    await Promise.all(reverses.map((reverse) => listen(needs, around, link, reverse)))
    await link.closed()
    lost = link
  }
}
