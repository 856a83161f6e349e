/** What administrators see of the whole platform. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import { usualLimits } from '../../domain/platform/run/schedule.ts'
import { asleepIn, PAGE_SIZE } from './namespaces.ts'
import type { Handlers, PlatformWorld } from './world.ts'

export const adminHandlers = ({ access, settings }: PlatformWorld): Handlers<'listAllNamespaces' | 'readSettings'> => ({
  listAllNamespaces: ({ query: { continue: from = '', limit = PAGE_SIZE, q = '' } }) => {
    const all = access
      .all()
      .filter(({ isIncomplete, name }) => !isIncomplete && name >= from && name.includes(q.toLowerCase()))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const namespaces = all.slice(0, limit).map(({ created, kind, name, owner, status }) => ({
      ...{ name, kind, status, owner, created },
      ...asleepIn(access, name),
    }))
    return TE.right({ namespaces, ...defined({ next: all[limit]?.name }) })
  },

  readSettings: () => {
    const { domain, identity, maxRuns = usualLimits.cluster, previewSeconds, registry, releases } = settings
    const { sleepAfterSeconds, version } = settings
    const shown = { version, domain, registry, issuer: identity.issuer, previewSeconds, maxRuns }
    return TE.right({ ...shown, ...defined({ releases, sleepAfterSeconds }) })
  },
})
