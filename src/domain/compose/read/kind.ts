/** Which workload a service becomes: decided by its restart policy, then by its volumes, then by `deploy.mode`. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { as, choose, inRange, optional } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import type { Span } from '../../text/source.ts'
import type { service } from '../fields/service.ts'
import type { WorkloadKind, Written } from '../model.ts'
import type { Mount } from '../volume-model.ts'

type RawService = ValueOf<typeof service>['value']

type Policy = 'always' | 'never' | 'on-failure'
type Restart = { readonly policy: Policy; readonly attempts?: number; readonly at?: Span }

const policies = {
  always: 'always',
  'unless-stopped': 'always',
  any: 'always',
  no: 'never',
  none: 'never',
  never: 'never',
  'on-failure': 'on-failure',
} as const

/** A YAML 1.1 reader turns an unquoted `no` into `false`. */
const readPolicy = (written: Located<string>): Checked<Restart> => {
  const [, word, attempts] = /^(on-failure):([0-9]{1,9})$/.exec(written.value) ?? []
  if (word !== undefined) return C.ok({ policy: 'on-failure', attempts: Number(attempts), at: written.at })
  const plain = written.value === 'false' ? 'no' : written.value
  return C.map((policy: Located<Policy>): Restart => ({ policy: policy.value, at: written.at }))(
    choose('restart policy', policies)(as(plain, written)),
  )
}

/** The restart policy as it is written, in one of its two places. */
export const writtenRestart = ({ deploy, restart }: RawService): Located<string> | undefined =>
  deploy?.value.restart_policy?.value.condition ?? restart

const readRestart = (raw: RawService, isAwaited: boolean): Checked<Restart> => {
  const policy = raw.deploy?.value.restart_policy?.value
  const chosen = writtenRestart(raw)
  const attempts = optional(policy?.max_attempts, inRange('max_attempts', 0, 2_147_483_647))
  const parts = C.struct({ restart: optional(chosen, readPolicy), attempts })
  return C.andThen((read: C.ValueIn<typeof parts>) => {
    const restart: Restart = read.restart ?? { policy: isAwaited ? 'never' : 'always' }
    const most = read.attempts
    if (most === undefined) return C.ok(restart)
    if (restart.policy === 'on-failure') return C.ok({ ...restart, attempts: most.value })
    return C.note(restart, [
      warning('DT1102', 'max_attempts has no effect: only a Job with restart: on-failure retries', {
        at: most.at,
        path: most.path,
      }),
    ])
  })(parts)
}

const modes = { replicated: 'replicated', global: 'global', 'replicated-job': 'job', 'global-job': 'job' } as const

const keepsData = (mount: Mount): boolean => mount._tag === 'Named' || mount._tag === 'Anonymous'

const job = (restart: Restart, at: Span): WorkloadKind => {
  if (restart.policy === 'never') return { _tag: 'Job', restart: 'Never', attempts: 0, at }
  return {
    _tag: 'Job',
    restart: 'OnFailure',
    ...defined({ attempts: restart.attempts }),
    at,
  }
}

/**
 * `isAwaited`: another service waits for it to complete. `at` of the result is what decided the kind, or the service.
 * Finds DT1018; warns DT1102, DT1110.
 */
export const readKind = (
  raw: RawService,
  mounts: ReadonlyArray<Mount>,
  at: Span,
  isAwaited: boolean,
): Checked<WorkloadKind> => {
  const written = raw.deploy?.value.mode
  const isJob = written?.value.endsWith('-job') === true
  const kindOf = ({ policy, ...restart }: Restart, mode: (typeof modes)[keyof typeof modes]): WorkloadKind => {
    if (policy !== 'always') return job({ policy, ...restart }, restart.at ?? at)
    if (mode === 'job') return job({ policy, ...restart }, written?.at ?? at)
    if (mode === 'global') return { _tag: 'DaemonSet', at: written?.at ?? at }
    const volume = mounts.find(keepsData)
    return volume === undefined ? { _tag: 'Deployment', at } : { _tag: 'StatefulSet', at: volume.at }
  }
  const onEveryNode = (kind: WorkloadKind) =>
    written?.value.startsWith('global') === true && kind._tag === 'Job'
      ? [warning('DT1110', 'a Job runs once, not on every node', { at: written.at, path: written.path })]
      : []
  const parts = C.struct({
    restart: readRestart(raw, isAwaited && !isJob),
    mode: optional(written, choose('mode', modes)),
  })
  return C.andThen(({ restart, mode }: C.ValueIn<typeof parts>) => {
    const kind = kindOf(restart ?? { policy: 'always' }, mode?.value ?? 'replicated')
    return C.note(kind, onEveryNode(kind))
  })(parts)
}

/** `scale` and `deploy.replicas`, which must be equal. Finds DT1018, DT1038; warns DT1102 on a DaemonSet. */
export const readReplicas = (raw: RawService): Checked<Written<number> | undefined> => {
  const count = inRange('the number of containers', 0, 2_147_483_647)
  const parts = C.struct({
    scale: optional(raw.scale, count),
    replicas: optional(raw.deploy?.value.replicas, count),
  })
  return C.andThen(({ scale, replicas }: C.ValueIn<typeof parts>): Checked<Written<number> | undefined> => {
    if (scale !== undefined && replicas !== undefined && scale.value !== replicas.value) {
      return C.fail(
        error('DT1038', `scale is ${scale.value}, but deploy.replicas is ${replicas.value}`, {
          at: scale.at,
          path: scale.path,
          help: 'remove one of the two',
          related: [{ at: replicas.at, message: 'deploy.replicas is here' }],
        }),
      )
    }
    const also = scale === undefined || replicas === undefined ? {} : { also: [replicas.at] }
    const chosen = scale ?? replicas
    const written = chosen === undefined ? undefined : { ...chosen, ...also }
    if (written !== undefined && raw.deploy?.value.mode?.value.startsWith('global') === true) {
      return C.note(undefined, [
        warning('DT1102', 'the number of containers has no effect with mode: global', {
          at: written.at,
          path: written.path,
        }),
      ])
    }
    return C.ok(written)
  })(parts)
}
