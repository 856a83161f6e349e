/** Time: leases, deadlines, pauses, ages. */
import { type Mutant, mutantsOf } from './mutant.ts'

const lock = ['properties/lease', 'unit/environment/lock']

export const time: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/environment/lease.ts', lock, [
    ['const patienceMs = 20_000', 'const patienceMs = 200_000'],
    ['leaseMs = 30_000', 'leaseMs = 15_000'],
    ['const renewMs = 10_000', 'const renewMs = 19_000'],
    ['const lookMs = 2000', 'const lookMs = 12_000'],
    ['const mostReleases = 4', 'const mostReleases = 400'],
    ['state: { ...state, sentMs: event.atMs }', 'state'],
    [
      "return holdFrom(event.live, state.sentMs, event.atMs)\n    case 'ReadFailed'",
      "return holdFrom(event.live, event.atMs, event.atMs)\n    case 'ReadFailed'",
    ],
    ['atMs - seen.sinceMs >= leaseMs', 'atMs - seen.sinceMs >= 0'],
    ['version === seen.version && atMs', 'atMs'],
    ['atMs - state.renewedMs > patienceMs', 'atMs - state.sentMs > patienceMs'],
  ]),
]
