/** Compose `healthcheck` → readiness and liveness probes, which run the same check. */
import type { Healthcheck } from '../compose/model.ts'
import type { Probe } from '../k8s/types.ts'
import type { Span } from '../text/source.ts'
import { type Draft, from } from './draft.ts'

/** Kubernetes does not expand variables in commands of probes, so they stay as they are. */
const probeOf = (healthcheck: Healthcheck, decided: ReadonlyArray<Span | undefined>): Draft<Probe> => {
  const { at, check, places = {} } = healthcheck
  const { initialDelaySeconds: delay } = healthcheck
  const all = [at, ...decided, delay === undefined ? places.initialDelaySeconds : undefined]
  return from(
    all.filter((place) => place !== undefined),
    {
      exec: check._tag === 'Exec' ? from(places.check, { command: check.command }) : undefined,
      httpGet: check._tag === 'Http' ? from(places.check, { path: check.path, port: check.port }) : undefined,
      initialDelaySeconds: delay === undefined ? undefined : from(places.initialDelaySeconds, delay),
      periodSeconds: from(places.periodSeconds, healthcheck.periodSeconds),
      timeoutSeconds: from(places.timeoutSeconds, healthcheck.timeoutSeconds),
      failureThreshold: from(places.failureThreshold, healthcheck.failureThreshold),
    },
  )
}

type Probes = { readonly readiness: Draft<Probe> | undefined; readonly liveness: Draft<Probe> | undefined }

export const probesOf = (check: Healthcheck | undefined): Probes => {
  const decided = [check?.places?.readiness, check?.places?.liveness]
  return {
    readiness: check?.readiness === true ? probeOf(check, decided) : undefined,
    liveness: check?.liveness === true ? probeOf(check, decided) : undefined,
  }
}
