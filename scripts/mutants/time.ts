/** Time: leases, deadlines, backoff, ages. */
import { type Mutant, mutantsOf } from './mutant.ts'

const lock = ['properties/lease', 'unit/environment/lock']
const deploy = ['unit/deploy/run', 'unit/deploy/meanwhile']

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
    ['isSame && atMs - seen', 'seen !== undefined && atMs - seen'],
    ['atMs - state.renewedMs > patienceMs', 'atMs - state.sentMs > patienceMs'],
  ]),
  ...mutantsOf(
    'adapters/kube/access.ts',
    ['unit/kube/transport'],
    [
      ['Math.max(expiresMs - soonMs, now + 1000)', 'Math.max(expiresMs + soonMs, now + 1000)'],
      ['Math.max(expiresMs - soonMs, now + 1000)', 'expiresMs - soonMs'],
      ['clock.wallMs() < now.untilMs', 'true'],
      ['pending ??= tryToObtain', 'pending = tryToObtain'],
      ['now !== undefined && now.grant !== rejected ?', 'false ?'],
    ],
  ),
  ...mutantsOf(
    'adapters/buildkit/rpc/keepalive.ts',
    ['unit/buildkit/keepalive', 'unit/buildkit/rpc-end'],
    [
      ['    late = setImmediate(() => {\n      if (!isQuiet()) return\n', '    late = setImmediate(() => {\n'],
      ['if (now - quietSince < timeMs) return', ''],
      ['if (now - pingedAt < timeoutMs) return', 'if (now - pingedAt < timeMs) return'],
      ['    stopLooking()\n', ''],
      ['whileIdle || watched.isBusy()', 'true'],
    ],
  ),
  ...mutantsOf(
    'domain/why/verdict.ts',
    ['unit/why/verdict'],
    [
      ['const graceMs = 30_000', 'const graceMs = 300_000'],
      ['isFinal && (!isUnchanged ||', 'isFinal && (isUnchanged ||'],
    ],
  ),
  ...mutantsOf('app/deploy/close.ts', deploy, [
    ['atMost(ports.clock, leavingMs(run.signal),', 'atMost(ports.clock, 60_000,'],
    ['recordStore.write(change, late)', 'recordStore.write(change)'],
  ]),
  ...mutantsOf(
    'app/concurrency/deadline.ts',
    ['unit/concurrency/deadline', 'unit/deploy/run'],
    [
      ['if (!cleared.signal.aborted) late.abort(TIMEOUT)', 'late.abort(TIMEOUT)'],
      ['AbortSignal.any([interrupted, late.signal])', 'interrupted'],
      ['await Promise.race([work(late.signal), expired])', 'await work(late.signal)'],
    ],
  ),
  ...mutantsOf(
    'domain/time/backoff.ts',
    ['unit/concurrency/backoff', 'unit/kube/client'],
    [
      ['Math.min(firstMs * factor ** failures, longestMs)', 'firstMs * factor ** failures'],
      ['firstMs * factor ** failures', 'firstMs'],
    ],
  ),
  ...mutantsOf(
    'adapters/kube/api/retry.ts',
    ['unit/kube/client'],
    [
      ['const mostTries = 8', 'const mostTries = 80'],
      ['const longestMs = 60_000', 'const longestMs = 600_000'],
      ['again.afterMs ?? 0', '0'],
      ['if (signal?.aborted === true) return result', ''],
    ],
  ),
  ...mutantsOf(
    'domain/build/token.ts',
    ['unit/registry/token'],
    [
      ['expiresInS * 900', 'expiresInS * 1100'],
      ['const shortestS = 60', 'const shortestS = 0'],
    ],
  ),
  ...mutantsOf('adapters/kube/read.ts', ['unit/kube/lists'], [[" && listed.left._tag === 'Gone'", ' && false']]),
  ...mutantsOf('adapters/kube/watch.ts', ['unit/kube/lists'], [["if (listed.left._tag !== 'Aborted') yield", 'yield']]),
]
