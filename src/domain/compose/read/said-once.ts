/** Findings that are reported once per file, with all their places: host volumes and credentials. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts'
import { looksLikeCredential } from '../../text/credential.ts'
import { listed } from '../../text/listed.ts'
import type { ComposeService } from '../model.ts'
import type { HostMount } from '../volume-model.ts'
import { byFile, placesOf } from './by-file.ts'
import { isData, isSocket } from './host-mounts.ts'

const shownMount = ({ source, why }: HostMount): string => (why === undefined ? source : `${source} (${why})`)

const isTimeZone = ({ source }: HostMount): boolean => /^\/etc\/(?:localtime|timezone)$/.test(source)

/** `--host-files=config` is not suggested for mounts that could not become ConfigMaps. */
const hostHelp = (hosts: ReadonlyArray<HostMount>, hasData: boolean): string => {
  if (hosts.every(isTimeZone)) return 'set the variable TZ, which most images know'
  const others = hosts.some(({ why }) => why === undefined)
    ? 'use configs: or --host-files=config'
    : 'use configs:, or secrets: for keys and credentials'
  return hasData
    ? `use named volumes for data; put other files into the image, or ${others}`
    : `put the files into the image, ${others}, or a named volume`
}

const hostVolumes = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  return byFile(services.flatMap(({ hostMounts }) => hostMounts)).map((hosts) => {
    const files = hosts.filter((host) => !isSocket(host))
    if (files.length === 0) {
      const message = 'the Docker socket is not mounted, since the cluster has none'
      return warning('DT1101', message, placesOf(hosts, 'here too'))
    }
    const names = listed([...files.map(shownMount), ...(files.length < hosts.length ? ['the Docker socket'] : [])])
    const data = listed(hosts.filter(isData).map(({ target }) => target))
    const lost = data === '' ? '' : `: what is written to ${data} is lost with the pod`
    const isOne = new Set(hosts.map(({ source }) => source)).size === 1
    const message = isOne
      ? `the host volume ${names} is not mounted${lost}`
      : `the host volumes ${names} are not mounted${lost}`
    const hidden = hosts.flatMap(({ hides = [] }) => hides)
    const { related: others = [], ...place } = placesOf(hosts, 'this one neither')
    const related = [
      ...others,
      ...hidden.map((mount) => ({ at: mount.at, message: `${mount.target} only kept the image's files from it` })),
    ]
    const help = hostHelp(files, data !== '')
    return warning('DT1101', message, { ...place, help, ...(related.length === 0 ? {} : { related }) })
  })
}

const credentials = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => {
  const all = services.flatMap(({ environment }) =>
    environment.filter(({ name, value }) => looksLikeCredential(name, value)),
  )
  return byFile(all).map((variables) => {
    const names = variables.map(({ name }) => name)
    const isOne = new Set(names).size === 1
    const { path, ...place } = placesOf(variables, 'here too')
    const message = isOne
      ? `${listed(names)} looks like a credential, and its value appears in the manifests in plain text`
      : `${listed(names)} look like credentials, and their values appear in the manifests in plain text`
    const help = `keep ${isOne ? 'it' : 'them'} in secrets: and let the program read the file`
    // In an env file, the path of a variable is its name.
    return warning('DT1104', message, { ...place, help, ...(path === names[0] ? {} : { path }) })
  })
}

/** Warns DT1101, DT1104. */
export const saidOnce = (services: ReadonlyArray<ComposeService>): ReadonlyArray<Diagnostic> => [
  ...hostVolumes(services),
  ...credentials(services),
]
