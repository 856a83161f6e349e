/** What administrators see of the whole platform. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import { PAGE_SIZE } from './namespaces.ts'
import type { Handlers, PlatformWorld } from './world.ts'

export const adminHandlers = ({ access, settings }: PlatformWorld): Handlers<'listAllNamespaces' | 'readSettings'> => ({
  listAllNamespaces: ({ query: { continue: from = '', limit = PAGE_SIZE, q = '' } }) => {
    const all = access
      .all()
      .filter(({ isIncomplete, name }) => !isIncomplete && name >= from && name.includes(q.toLowerCase()))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const namespaces = all
      .slice(0, limit)
      .map(({ created, kind, name, owner, status }) => ({ name, kind, status, owner, created }))
    return TE.right({ namespaces, ...defined({ next: all[limit]?.name }) })
  },

  readSettings: () => {
    const { domain, identity, previewSeconds, registry, releases, sleepAfterSeconds, version } = settings
    const { issuer } = identity
    return TE.right({ version, domain, registry, issuer, previewSeconds, ...defined({ releases, sleepAfterSeconds }) })
  },
})
