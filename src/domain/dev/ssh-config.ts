/**
 * What lets OpenSSH, and the IDEs that use it, connect to development containers: files of one's own for each, in a
 * folder that ~/.ssh/config includes.
 */
import type { LinkKeys } from './keys.ts'

/** `port`: where this machine listens. `name`: of the development container. */
export type DevSshHost = { readonly name: string; readonly port: number; readonly keys: LinkKeys }

/** Below ~/.ssh. */
export const sshSubfolder = 'devtool'

const include = `Include ${sshSubfolder}/*.conf`

/** The name by which `ssh` knows it. */
const sshAlias = (name: string): string => `${name}.devtool`

const namesOf = (name: string) => ({ config: `${name}.conf`, key: `${name}.key`, known: `${name}.known_hosts` })

export const sshFileNames = (name: string): ReadonlyArray<string> => Object.values(namesOf(name))

const configOf = ({ name, port }: DevSshHost): string => {
  const { key, known } = namesOf(name)
  return [
    `Host ${sshAlias(name)}`,
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    '  User devtool',
    `  HostKeyAlias ${sshAlias(name)}`,
    `  UserKnownHostsFile ~/.ssh/${sshSubfolder}/${known}`,
    '  StrictHostKeyChecking yes',
    `  IdentityFile ~/.ssh/${sshSubfolder}/${key}`,
    '  IdentitiesOnly yes',
    '  LogLevel ERROR',
    '',
  ].join('\n')
}

/** Names and texts, the configuration last: it mentions the others. */
export const sshFiles = (host: DevSshHost): ReadonlyArray<readonly [name: string, text: string]> => {
  const { config, key, known } = namesOf(host.name)
  const { client, host: hostKey } = host.keys
  return [
    [key, client.endsWith('\n') ? client : `${client}\n`],
    [known, `${sshAlias(host.name)} ${hostKey.trim()}\n`],
    [config, configOf(host)],
  ]
}

export const isIncluded = (config: Uint8Array): boolean =>
  new TextDecoder()
    .decode(config)
    .split('\n')
    .some((line) => line.trim() === include)

/** First of all, since after a `Host` it would be part of that. The rest stays byte for byte. */
export const withInclude = (config: Uint8Array): Uint8Array => {
  const line = new TextEncoder().encode(`${include}\n`)
  const whole = new Uint8Array(line.length + config.length)
  whole.set(line)
  whole.set(config, line.length)
  return whole
}
