/** The last lines of the log that a cause refers to. A log that cannot be read in time is left out. */
import { resources } from '../../domain/cluster/resources.ts'
import { type Cause, LOG_LINES } from '../../domain/why/cause.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Target } from '../context/target.ts'

const longestMs = 5000

export const logTail = async (
  { cluster, namespace }: Pick<Target, 'cluster' | 'namespace'>,
  clock: Clock,
  { logs }: Pick<Cause, 'logs'>,
): Promise<ReadonlyArray<string>> => {
  if (logs === undefined) return []
  const { container, isPrevious, pod } = logs
  const [late, read] = [new AbortController(), new AbortController()]
  void clock.sleep(longestMs, read.signal).then(() => late.abort())
  const lines: Array<string> = []
  const key = { resource: resources.Pod, namespace, name: pod }
  for await (const line of cluster.logs(key, { container, follow: false, isPrevious, tail: LOG_LINES }, late.signal)) {
    if (line._tag === 'Line') lines.push(line.text)
  }
  read.abort()
  return lines
}
