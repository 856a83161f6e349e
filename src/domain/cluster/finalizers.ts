/** What keeps an object that is marked for deletion. */

/** Kubernetes' own finalizers are removed by themselves, once their condition is met. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', 'its pods to end'],
  ['kubernetes.io/pvc-protection', 'the pods that use it'],
  ['batch.kubernetes.io/job-tracking', 'the Job controller'],
])

export const endsByItself = (finalizer: string): boolean => meanings.has(finalizer)

/** What an object marked for deletion waits for: `waiting for its pods to end`. */
export const waitsFor = (finalizers: ReadonlyArray<string>): string =>
  finalizers.length === 0
    ? 'still there'
    : `waiting for ${finalizers.map((name) => meanings.get(name) ?? `the finalizer ${name}`).join(', ')}`
