/** The route that reports what runs in a namespace, for the web pages. */
import * as t from 'io-ts'
import { keys } from '../../print/document.ts'
import { namespace } from './answers.ts'
import { route } from './route.ts'

const ServiceNow = keys(
  {
    service: [t.string, 'name of the service'],
    kind: [t.string, 'kind of its workload'],
    ready: [t.string, 'ready pods out of those wanted: `2/3`'],
    state: [t.string, 'ready, complete, stopped, progressing, failed or developed'],
    reason: [t.string, 'why it is not ready; empty if it is'],
    restarts: [t.number, 'restarts of its containers'],
    image: [t.string, 'image of its container'],
    age: [t.string, 'time since it was created, for example 3d'],
  },
  {
    developer: [t.string, 'who develops it with `up`'],
    developedSince: [t.string, 'when that began'],
  },
)

const CauseNow = keys(
  {
    service: [t.string, 'the service, or the object when there is none'],
    code: [t.string, 'diagnostic code'],
    message: [t.string, 'what is wrong'],
    isFinal: [t.boolean, 'it cannot recover by itself'],
  },
  {
    help: [t.string, 'what to do'],
    event: [t.string, 'message of the Kubernetes event'],
  },
)

const EndpointNow = keys(
  { url: [t.string, 'the address'], service: [t.string, 'what it routes to'] },
  { developer: [t.string, 'who develops the service with `up`'] },
)

const EnvironmentNow = keys(
  {
    name: [t.string, 'name of the environment'],
    status: [t.string, 'of its last run: progressing, deployed, error or destroying; `unknown` without a record'],
    who: [t.string, 'who deployed it last'],
    when: [t.string, 'when it was last deployed, or empty'],
    services: [t.readonlyArray(ServiceNow), 'by service, then by kind'],
    endpoints: [t.readonlyArray(EndpointNow), 'by service, then by address'],
    causes: [t.readonlyArray(CauseNow), 'what is wrong, root causes first'],
  },
  {
    repository: [t.string, 'where it is deployed from'],
    branch: [t.string, 'branch of the repository'],
  },
)
export type EnvironmentNow = t.TypeOf<typeof EnvironmentNow>

export const serviceRoutes = {
  listServices: route({
    method: 'GET',
    path: '/api/v1/namespaces/{namespace}/services',
    may: 'viewer',
    about: 'What runs in a namespace, how it is, and who develops it',
    params: keys(namespace),
    answer: keys({
      environments: [t.readonlyArray(EnvironmentNow), 'by name'],
      skipped: [t.readonlyArray(t.string), 'kinds that the caller may not list, so that something may be missing'],
    }),
  }),
} as const
