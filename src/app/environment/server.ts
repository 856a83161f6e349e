/** What use cases of the command need of who runs them, for programs of the platform: no user is present. */
import type { Machine } from '../../ports/machine.ts'
import type { Progress } from '../../ports/progress.ts'

export const machineOf = (holder: string): Machine => ({
  who: holder,
  holder,
  host: holder,
  // Containers on one node may have the same process ids.
  mark: '',
  hasEnded: () => false,
  runs: () => true,
  addresses: () => '',
  sha256: () => Promise.reject(new Error('nothing is hashed here')),
})

export const silent: Progress = { tell: () => {}, end: () => {} }
