/** Compose `healthcheck` → readiness and liveness probes, which run the same check. */
import type { Healthcheck } from '../compose/model.ts'
import type { Probe } from '../k8s/types.ts'
import { type Draft, from } from './draft.ts'

/** Kubernetes does not expand variables in commands of probes, so they stay as they are. */
const probeOf = (healthcheck: Healthcheck): Draft<Probe> => {
  const { at, check } = healthcheck
  return from(at, {
    exec: check._tag === 'Exec' ? { command: check.command } : undefined,
    httpGet: check._tag === 'Http' ? { path: check.path, port: check.port } : undefined,
    initialDelaySeconds: healthcheck.initialDelaySeconds,
    periodSeconds: healthcheck.periodSeconds,
    timeoutSeconds: healthcheck.timeoutSeconds,
    failureThreshold: healthcheck.failureThreshold,
  })
}

type Probes = { readonly readiness: Draft<Probe> | undefined; readonly liveness: Draft<Probe> | undefined }

export const probesOf = (check: Healthcheck | undefined): Probes => ({
  readiness: check?.readiness === true ? probeOf(check) : undefined,
  liveness: check?.liveness === true ? probeOf(check) : undefined,
})
