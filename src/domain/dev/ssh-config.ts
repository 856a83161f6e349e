/**
 * Lets OpenSSH, and the IDEs that use it, connect to development containers: each has files of its own in a folder that
 * ~/.ssh/config includes.
 */
import { dnsLabel } from '../text/dns-name.ts'
import type { LinkKeys } from './keys.ts'
import type { DevRecord } from './record.ts'

/** A development container as an SSH host. `uid`: that of its workload, which differs between clusters. */
export type SshName = { readonly alias: string; readonly uid: string }

/** `folder`: ~/.ssh, absolute. `port`: where this machine listens. */
export type DevSshHost = SshName & { readonly folder: string; readonly port: number; readonly keys: LinkKeys }

/** ~/.ssh; `undefined` without a home folder. */
export const sshFolderOf = ({ HOME: home }: Readonly<Record<string, string | undefined>>): string | undefined =>
  home === undefined || home === '' ? undefined : `${home}/.ssh`

/** Below ~/.ssh. */
export const sshSubfolder = 'devtool'

const include = `Include ${sshSubfolder}/*.conf`

export const sshNameOf = ({ dev, workload }: Pick<DevRecord, 'dev' | 'workload'>, namespace: string): SshName => ({
  alias: `${dnsLabel(dev)}.${namespace}.devtool`,
  uid: workload.uid,
})

const namesOf = (alias: string) => ({ config: `${alias}.conf`, key: `${alias}.key`, known: `${alias}.known_hosts` })

export const sshConfigName = (alias: string): string => namesOf(alias).config

/** The configuration is first, so it is deleted first: nothing else refers to the other files. */
export const sshFileNames = (alias: string): ReadonlyArray<string> => Object.values(namesOf(alias))

const mark = (uid: string): string => `# written by devtool for ${uid}`

/** `port`: the configuration of one session; without it, of any session. */
export type WrittenSshName = SshName & Partial<Pick<DevSshHost, 'port'>>

const portLine = (port: number): string => `  Port ${port}`

/** Another cluster may have a container of the same name, and the next session another port. */
export const isSshConfigOf = ({ port, uid }: WrittenSshName, config: string): boolean => {
  const [first, ...lines] = config.split('\n')
  return first === mark(uid) && (port === undefined || lines.includes(portLine(port)))
}

/** OpenSSH expands tokens that begin with a percent sign. */
const quoted = (path: string): string => `"${path.replaceAll('%', '%%')}"`

const configOf = ({ alias, folder, port, uid }: DevSshHost): string => {
  const { key, known } = namesOf(alias)
  const path = (name: string): string => quoted(`${folder}/${sshSubfolder}/${name}`)
  return [
    mark(uid),
    `Host ${alias}`,
    '  HostName 127.0.0.1',
    portLine(port),
    '  User devtool',
    `  HostKeyAlias ${alias}`,
    `  UserKnownHostsFile ${path(known)}`,
    '  StrictHostKeyChecking yes',
    `  IdentityFile ${path(key)}`,
    '  IdentitiesOnly yes',
    // Overrides settings for all hosts: the container may be anybody's.
    '  ForwardAgent no',
    '  ForwardX11 no',
    '  ProxyJump none',
    '  ControlPath none',
    '  LogLevel ERROR',
    '',
  ].join('\n')
}

/** Names and contents, the configuration last: it refers to the others. */
export const sshFiles = (host: DevSshHost): ReadonlyArray<readonly [name: string, text: string]> => {
  const { config, key, known } = namesOf(host.alias)
  const { client, host: hostKey } = host.keys
  return [
    [key, client.endsWith('\n') ? client : `${client}\n`],
    [known, `${host.alias} ${hostKey.trim()}\n`],
    [config, configOf(host)],
  ]
}

export const isIncluded = (config: Uint8Array): boolean =>
  new TextDecoder()
    .decode(config)
    .split('\n')
    .some((line) => line.trim() === include)

/**
 * The Include is the first line, since after a `Host` line it would be part of that block. The rest stays byte for
 * byte.
 */
export const withInclude = (config: Uint8Array): Uint8Array => {
  const line = new TextEncoder().encode(`${include}\n`)
  const whole = new Uint8Array(line.length + config.length)
  whole.set(line)
  whole.set(config, line.length)
  return whole
}
