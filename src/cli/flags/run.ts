/** Flags for running deploy and destroy. */

import { defaulted, flag } from './flag.ts'
import { duration } from './read.ts'

/** Milliseconds. */
export const timeout = defaulted(
  '--timeout',
  { value: 'DURATION', about: 'maximum time to wait; default 5m0s' },
  '5m0s',
  duration,
)
export const breakLock = flag('--break-lock', 'take the lock of a run whose process is gone')
export const takeOver = flag('--take-over', 'go on although the environment was deployed from elsewhere')
export const noBash = flag('--no-bash', 'run commands with the default shell instead of bash')
