/** What holds back an object that is marked for deletion. */

/** Those of Kubernetes itself end when what they wait for ends. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', 'its pods to end'],
  ['kubernetes.io/pvc-protection', 'the pods that use it'],
  ['batch.kubernetes.io/job-tracking', 'the Job controller'],
])

export const endsByItself = (finalizer: string): boolean => meanings.has(finalizer)

/** What an object that was marked for deletion waits for: `waiting for its pods to end`. */
export const waitsFor = (finalizers: ReadonlyArray<string>): string =>
  finalizers.length === 0
    ? 'still there'
    : `waiting for ${finalizers.map((name) => meanings.get(name) ?? `the finalizer ${name}`).join(', ')}`
