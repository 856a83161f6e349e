/** Routes by which administrators see the whole platform. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { sleep } from '../deletion-record.ts'
import { next, page } from './answers.ts'
import { route } from './route.ts'
import { Line, NamespaceLabel, Timestamp, UserId } from './values.ts'

const AnyNamespace = keys(
  {
    name: [NamespaceLabel, 'name of the namespace'],
    kind: [oneOf('namespace', 'preview'), 'what it was created as'],
    status: [oneOf('Active', 'Deleting', 'DeleteFailed'), 'whether it can be used'],
    owner: [UserId, 'who created it'],
    created: [Timestamp, 'when it was created'],
  },
  sleep,
)

const ShownSettings = keys(
  {
    version: [t.string, 'version of the platform'],
    domain: [t.string, 'domain of public addresses'],
    registry: [t.string, 'registry of built images, or empty'],
    issuer: [t.string, 'address of the issuer that users log in at'],
    previewSeconds: [t.number, 'how long a preview is kept after its last run; 0: until somebody destroys it'],
  },
  {
    sleepAfterSeconds: [t.number, 'after how long without use a namespace sleeps; absent: never'],
    maxRuns: [t.number, 'how many runs may be under way at a time'],
    releases: [t.string, 'address of a release of devtool'],
  },
)

export const adminRoutes = {
  listAllNamespaces: route({
    method: 'GET',
    path: '/api/v1/admin/namespaces',
    may: 'admin',
    about: 'All namespaces of the platform, whoever has access to them',
    query: keys({}, { ...page, q: [Line, 'only names that contain this'] }),
    answer: keys({ namespaces: [t.readonlyArray(AnyNamespace), 'by name'] }, next),
  }),
  readSettings: route({
    method: 'GET',
    path: '/api/v1/admin/settings',
    may: 'admin',
    about: 'The settings of the platform',
    answer: ShownSettings,
  }),
} as const
