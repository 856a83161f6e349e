/** What keeps an object that is marked for deletion. */

/** Kubernetes' own finalizers are removed by themselves, once their condition is met. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', 'its pods to end'],
  ['kubernetes.io/pvc-protection', 'the pods that use it'],
  ['batch.kubernetes.io/job-tracking', 'the Job controller'],
])

export const endsByItself = (finalizer: string): boolean => meanings.has(finalizer)

const pods: ReadonlySet<string> = new Set(['foregroundDeletion', 'kubernetes.io/pvc-protection'])

/** Whether pods keep the object. */
export const isHeldByPods = (finalizers: ReadonlyArray<string>): boolean => finalizers.some((name) => pods.has(name))

/**
 * What an object marked for deletion waits for: `waiting for its pods to end: Pod/web-1 (terminating)`. `holders`: the
 * pods, once they are known.
 */
export const waitsFor = (finalizers: ReadonlyArray<string>, holders: ReadonlyArray<string> = []): string => {
  if (finalizers.length === 0) return 'still there'
  const named = holders.length === 0 ? '' : `: ${holders.join(', ')}`
  return `waiting for ${finalizers
    .map((name) => `${meanings.get(name) ?? `the finalizer ${name}`}${pods.has(name) ? named : ''}`)
    .join(', ')}`
}
