/**
 * Hints for requests that admission refused. The server answers 403 to those and to missing permissions alike, so only
 * the message tells them apart.
 */

import { podSecurityHelp } from './pod-security.ts'

const rules: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(?:exceeded|failed) quota: /,
    'request less, remove something else, or have the quota raised: `kubectl describe quota{in}` shows it',
  ],
  [
    / usage per (?:Container|Pod|PersistentVolumeClaim) is |max limit to request ratio per /,
    'stay within the limits of the namespace, or have them changed: `kubectl describe limitranges{in}` shows them',
  ],
  [
    /admission webhook "|ValidatingAdmissionPolicy '/,
    'a policy of the cluster refuses it: change what it names, or ask a cluster administrator',
  ],
  [/ because it is being terminated/, 'the namespace is being deleted: use another, or wait until it is gone'],
]

/** `undefined` when the request was not refused by admission. */
export const admissionHelp = (message: string, namespace: string | undefined): string | undefined => {
  const help = rules.find(([words]) => words.test(message))?.[1]
  return podSecurityHelp(message) ?? help?.replace('{in}', namespace === undefined ? '' : ` --namespace ${namespace}`)
}
