/** Why the services of an environment are not running, as data. */

import * as t from 'io-ts'
import { defined } from '../object/defined.ts'
import { type DataOf, document, keys, oneOf } from '../print/document.ts'
import type { Cause } from './cause.ts'
import type { ServiceState } from './story.ts'

const Service = keys(
  {
    service: [t.string, 'name of the service'],
    kind: [t.string, 'kind of its workload'],
    name: [t.string, 'name of its workload'],
    state: [oneOf('healthy', 'starting', 'failing'), 'starting: not ready yet, and nothing is known to be wrong'],
    detail: [t.string, 'its progress, in words'],
    dependsOn: [t.readonlyArray(t.string), 'services that it waits for'],
  },
  { isDeveloped: [t.boolean, 'somebody develops it with `up`; `detail` says who'] },
)

const Log = keys({
  pod: [t.string, 'name of the pod'],
  container: [t.string, 'name of the container'],
  isPrevious: [t.boolean, 'whether it is the log of the previous container, before a restart'],
  lines: [t.readonlyArray(t.string), 'the last lines'],
})

const FoundCause = keys(
  {
    service: [t.string, 'the service, or the object when there is none'],
    code: [t.string, 'diagnostic code; `devtool explain` describes it'],
    message: [t.string, 'what is wrong'],
    object: [t.string, 'the object where it was seen, for example `Pod/web-6d4f`'],
    isFinal: [t.boolean, 'it cannot recover by itself'],
  },
  {
    help: [t.string, 'what to do'],
    next: [t.readonlyArray(t.string), 'the command that shows more'],
    event: [t.string, 'message of the Kubernetes event'],
    since: [t.string, 'when the cluster last reported it'],
    alike: [t.number, 'how many other pods have the same problem'],
    logs: [Log, 'the log that explains it'],
  },
)

export const WhyReport = document('why', 'Why services of an environment are not running.', {
  namespace: [t.string, 'the namespace'],
  environment: [t.string, 'name of the environment'],
  isHealthy: [t.boolean, 'whether all services are healthy'],
  services: [t.readonlyArray(Service), 'services that others depend on come first'],
  causes: [t.readonlyArray(FoundCause), 'what is wrong, root causes first'],
  remarks: [t.readonlyArray(FoundCause), 'what is worth knowing of services that are healthy'],
  skipped: [t.readonlyArray(t.string), 'kinds that we have no permission to list, so some causes may be missing'],
})
export type WhyReport = DataOf<typeof WhyReport>

/** A cause with the last lines of the log it refers to. */
export type CauseWithLog = { readonly cause: Cause; readonly log: ReadonlyArray<string> }

export const serviceReport = ({
  dependsOn,
  detail,
  isDeveloped,
  kind,
  name,
  service,
  state,
}: ServiceState): WhyReport['services'][number] => ({
  service,
  kind,
  name,
  state,
  detail,
  dependsOn,
  ...defined({ isDeveloped }),
})

export const causeReport = ({ cause, log }: CauseWithLog): WhyReport['causes'][number] => {
  const { logContext: _logContext, closed: _closed, logs, subject, ...rest } = cause
  return { service: subject, ...rest, ...defined({ logs: logs && { ...logs, lines: log } }) }
}
