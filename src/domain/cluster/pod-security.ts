/** What a Compose file must say so that Pod Security admits its pods. */

import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/** Parts of the API server's messages, each with the line of a service that satisfies the rule. */
const remedies: ReadonlyArray<readonly [string, string]> = [
  ['runAsNonRoot', 'user: "1000" (a number other than 0)'],
  ['runAsUser', 'user: "1000" (a number other than 0)'],
  ['allowPrivilegeEscalation', 'security_opt: ["no-new-privileges:true"]'],
  ['capabilities.drop', 'cap_drop: [ALL]'],
]

/** Fields that Pod Security forbids, by what the API server calls them. */
const forbidden: ReadonlyArray<readonly [string, string]> = [
  ['privileged', 'privileged'],
  ['non-default capabilities', 'cap_add'],
  ['must not include', 'cap_add'],
  ['hostNetwork', 'network_mode: host'],
  ['hostPID', 'pid: host'],
  ['hostIPC', 'ipc: host'],
  ['hostPort', 'mode: host of ports'],
  ['seccompProfile', 'seccomp=unconfined of security_opt'],
  ['AppArmor', 'apparmor=unconfined of security_opt'],
  ['seLinuxOptions', 'label of security_opt'],
  ['forbidden sysctls', 'sysctls'],
]

const linesFor = (table: typeof remedies, text: string): ReadonlyArray<string> => [
  ...new Set(table.filter(([words]) => text.includes(words)).map(([, line]) => line)),
]

/** Steps of `pre_start` are containers of the pod, which may have a user of their own. */
const stepsIn = (text: string): string => (text.includes('"pre-start-') ? ' and its steps of pre_start' : '')

/** `undefined` for a text that is not about Pod Security. */
export const podSecurityHelp = (text: string): string | undefined => {
  if (!text.includes('PodSecurity')) return undefined
  const [missing, extra] = [linesFor(remedies, text), linesFor(forbidden, text)]
  const said = [
    ...(missing.length === 0 ? [] : [`add to the service${stepsIn(text)}: ${missing.join(', ')}`]),
    ...(extra.length === 0 ? [] : [`remove ${extra.join(', ')}`]),
  ]
  return said.length === 0 ? undefined : `${said.join('; ')}, or use a namespace that allows it`
}

/** Of the warnings of the API server about an object, those about what Pod Security does to its pods. */
export const isPodWarning = ({ code, help }: Diagnostic): boolean => code === 'DT3132' && help !== undefined
