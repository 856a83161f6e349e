/**
 * The log of a run that could not record its end: the lines that its record lacks are read from its pod, if that is
 * still there. Whatever a pod writes comes from its tenant, so time and size are bounded.
 */
import type { ClusterObject } from '../../../domain/cluster/live.ts'
import { resources } from '../../../domain/cluster/resources.ts'
import { hasRunLog, packLog, RUN_CONTAINER, readRunLine, unpackLog } from '../../../domain/platform/run/log.ts'
import { logIn } from '../../../domain/platform/run/record.ts'
import { recentLines } from '../recent-lines.ts'
import type { ControllerWorld } from './world.ts'

const MOST_MS = 3000
const MOST_LINES = 50_000
const MOST_CHARACTERS = 16 * 1024 * 1024

/** For the record; `undefined` when that has every line that can be read. */
export const completedLog = async (
  { clock, cluster }: Pick<ControllerWorld, 'clock' | 'cluster'>,
  record: ClusterObject,
  pods: ReadonlyArray<ClusterObject>,
): Promise<Uint8Array | undefined> => {
  const pod = pods.find(hasRunLog)
  if (pod === undefined) return undefined
  const recorded = unpackLog(logIn(record) ?? new Uint8Array())
  const [lines, before] = [recentLines(), recorded.at(-1)?.n ?? 0]
  recorded.forEach(lines.add)
  let [last, characters] = [before, 0]
  const { name, namespace = '' } = pod.metadata
  const options = { container: RUN_CONTAINER, follow: false, tail: MOST_LINES }
  for await (const item of cluster.logs(
    { resource: resources.Pod, namespace, name },
    options,
    clock.timeout(MOST_MS),
  )) {
    const text = item._tag === 'Line' ? item.text : ''
    characters += text.length
    if (characters > MOST_CHARACTERS) break
    const line = readRunLine(text)
    if (line === undefined || line.n <= last) continue
    last = line.n
    lines.add(line)
  }
  return last > before ? packLog(lines.all()) : undefined
}
