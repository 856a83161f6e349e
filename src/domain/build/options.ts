/** Options of RUN steps and of the image, as attributes of the frontend dockerfile.v0. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { error, warning } from '../diagnostic/diagnostic.ts'
import { isIp } from '../text/ip.ts'
import type { NamedValue, Written } from '../text/written.ts'
import { csvLine } from './csv.ts'
import { type BuildFlags, optionCode } from './flags.ts'
import type { Image } from './image.ts'

type Attrs = ReadonlyArray<readonly [name: string, value: string]>

const unusable = (message: string, { at, path }: Partial<Pick<Written<string>, 'at' | 'path'>>, help: string) =>
  error(optionCode(at), message, { at, path, help })

/** A host may have several addresses; IPv6 addresses may be in brackets. */
const hostsOf = ({ extraHosts }: Image): Checked<Attrs> => {
  const read = C.each((host: NamedValue): Checked<ReadonlyArray<string>> => {
    if (host.value === 'host-gateway') {
      const message = `${host.name} is left out of the image build: a builder cannot know the address of the machine`
      return C.note([], [warning('DT1102', message, { at: host.at, path: host.path })])
    }
    const addresses = (host.value ?? '').split(',').map((ip) => ip.trim().replace(/^\[(.*)\]$/, '$1'))
    const wrong = addresses.find((ip) => !isIp(ip))
    if (host.name !== '' && wrong === undefined) return C.ok(addresses.map((ip) => `${host.name}=${ip}`))
    const message = `"${wrong ?? host.name}" is not an IP address`
    return C.fail(unusable(message, host, 'write NAME=ADDRESS, for example db=192.0.2.1'))
  })(extraHosts)
  return C.map((lines: ReadonlyArray<ReadonlyArray<string>>): Attrs => {
    const hosts = lines.flat()
    return hosts.length === 0 ? [] : [['add-hosts', csvLine(hosts)]]
  })(read)
}

const platformsOf = (image: Image, flags: BuildFlags): Checked<Attrs> => {
  const given = flags.platforms.map((value): Partial<Written<string>> & { readonly value: string } => ({ value }))
  const platforms = given.length > 0 ? given : image.platforms
  const found = platforms.flatMap((platform) =>
    /^[a-z0-9_]+(?:\([^()/,]*\))?(?:\/[a-z0-9_]+){0,2}$/i.test(platform.value)
      ? []
      : [
          unusable(
            `"${platform.value}" is not a valid platform`,
            platform,
            'write linux/amd64, linux/arm64 or linux/arm/v7',
          ),
        ],
  )
  const list = [...new Set(platforms.map(({ value }) => value))].join(',')
  return C.note(list === '' ? [] : [['platform', list]], found)
}

/** `default` and `bridge` are the default of RUN steps. */
const networkOf = ({ network }: Image): Checked<Attrs> => {
  if (network === undefined) return C.ok([])
  switch (network.value) {
    case 'default':
    case 'bridge':
    case 'sandbox':
      return C.ok([])
    case 'host':
    case 'none':
      return C.ok([['force-network-mode', network.value]])
    default:
      return C.note(
        [],
        [
          warning('DT1102', `the network "${network.value}" has no effect on the image build: the builder has none`, {
            at: network.at,
            path: network.path,
            help: 'use host, none or default',
          }),
        ],
      )
  }
}

const examples = {
  provenance: 'write true, false, mode=min or mode=max',
  sbom: 'write true, false or generator=IMAGE',
} as const

/** `true` is BuildKit's default; `type=` belongs to other commands. */
const attestation = (name: 'provenance' | 'sbom', written: Written<string> | undefined): Checked<Attrs> => {
  if (written === undefined) return C.ok([])
  const text = written.value.trim()
  if (/^(?:false|no|off|n|0)$/i.test(text) || /(?:^|,)disabled=true(?:,|$)/.test(text)) return C.ok([])
  const parts = /^(?:true|yes|on|y|1)$/i.test(text) ? [] : text.split(',')
  const isWrong = (part: string): boolean =>
    !/^[a-z][a-z0-9-]*=./i.test(part) || (name === 'provenance' && /^mode=(?!(?:min|max|full)$)/.test(part))
  if (parts.some(isWrong))
    return C.fail(unusable(`"${text}" is not a valid ${name} attestation`, written, examples[name]))
  const kept = parts.filter((part) => !/^(?:type|disabled)=/.test(part))
  return C.ok([[`attest:${name}`, kept.join(',')]])
}

/** Limits in a fixed order, independent of the file. */
const limitsOf = ({ shmSize, ulimits = [] }: Image): Attrs => [
  ...(shmSize === undefined ? [] : [['shm-size', String(shmSize.value)] as const]),
  ...(ulimits.length === 0
    ? []
    : [['ulimit', csvLine(ulimits.map(({ name, value = '' }) => `${name}=${value}`).toSorted())] as const]),
]

const labelsOf = ({ labels }: Image): Attrs => labels.map(({ name, value = '' }) => [`label:${name}`, value])

/** All stages, or the named ones. */
const uncachedOf = ({ noCache, noCacheFilter = [] }: Image, flags: BuildFlags): Attrs => {
  if (flags.noCache || noCache?.value === true) return [['no-cache', '']]
  return noCacheFilter.length === 0 ? [] : [['no-cache', noCacheFilter.map(({ value }) => value).join(',')]]
}

/** Finds DT4031. */
export const optionsOf = (image: Image, flags: BuildFlags): Checked<Attrs> => {
  const target = flags.target ?? image.target?.value
  const plain: Attrs = [
    ...(target === undefined ? [] : [['target', target] as const]),
    ...uncachedOf(image, flags),
    ...(image.pull?.value === true ? [['image-resolve-mode', 'pull'] as const] : []),
    ...labelsOf(image),
    ...limitsOf(image),
  ]
  const read = C.struct({
    hosts: hostsOf(image),
    platforms: platformsOf(image, flags),
    network: networkOf(image),
    provenance: attestation('provenance', image.provenance),
    sbom: attestation('sbom', image.sbom),
  })
  return C.map(
    ({ hosts = [], network = [], platforms = [], provenance = [], sbom = [] }: C.ValueIn<typeof read>): Attrs => [
      ...plain,
      ...provenance,
      ...sbom,
      ...platforms,
      ...hosts,
      ...network,
    ],
  )(read)
}
