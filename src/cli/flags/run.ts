/** Flags for running deploy and destroy. */

import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { JobRule } from '../../domain/plan/jobs.ts'
import { defaulted, flag, maybe, parsed, texts } from './flag.ts'
import { duration } from './read.ts'
import { usage } from './usage.ts'

/** Milliseconds. */
export const timeout = defaulted(
  '--timeout',
  { value: 'DURATION', about: 'maximum time to wait; default 5m0s' },
  '5m0s',
  duration,
)
/** Of commands that only read. */
export const readTimeout = parsed(
  '--timeout',
  { value: 'DURATION', about: 'maximum time to wait for the cluster; default 30s' },
  duration,
)
export const breakLock = flag('--break-lock', 'take the lock of a run whose process is gone')
export const waitForLock = defaulted(
  '--wait-for-lock',
  { value: 'DURATION', about: 'wait this long for another run of the environment to end; default 0s' },
  '0s',
  duration,
)
export const takeOver = flag(
  '--take-over',
  'continue although the environment was deployed from elsewhere, or no service of it is left; --yes does not answer that',
)
export const mask = texts('--mask', {
  value: 'NAME',
  about: 'variable of --var to mask in the output of commands; others are masked if they look like credentials',
})
export const noBash = flag('--no-bash', 'run commands with the default shell instead of bash')

const jobRule = (name: string, given: string | boolean | undefined): Checked<JobRule> => {
  if (typeof given !== 'string') return C.ok({ _tag: given === true ? 'All' : 'Changed' })
  const services = given.split(',').map((service) => service.trim())
  return services.includes('')
    ? C.fail(usage(`${name}: a service name is missing in "${given}"`, `write ${name}=NAME,NAME or ${name}`))
    : C.ok({ _tag: 'Named', services: new Set(services) })
}

export const rerunJobs = maybe(
  '--rerun-jobs',
  'run Jobs again that have already run; =NAMES: only those of these services, separated by commas',
  [],
  jobRule,
)
