/** The port `Links` in memory: nothing answers. A link that was made nevertheless lasts. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Link, Links } from '../../src/ports/link.ts'

export const noLinks: Links = {
  newKeys: () =>
    Promise.resolve({
      client: { private: 'client private', public: 'client public' },
      host: { private: 'host private', public: 'host public' },
    }),
  newId: () => Promise.resolve('00000000-0000-0000-0000-000000000000'),
  connect: () => TE.left({ _tag: 'Lost', reason: 'nothing answers' }),
}

export const idleLink: Link = {
  run: () => TE.left({ _tag: 'Refused', reason: 'nothing runs' }),
  forward: () => TE.right(undefined),
  subsystem: () => TE.left({ _tag: 'Refused', reason: 'nothing is served' }),
  listen: () => TE.right(1),
  closed: () => new Promise(() => {}),
  close: () => {},
  drop: () => {},
}
