/** Where a service names others as addresses: in its variables, commands and health check. */
import { addressesInCommand, addressesInValue, type HostReference, hasName } from '../../text/addresses.ts'
import type { Span } from '../../text/source.ts'
import type { ComposeService, Written } from '../model.ts'

/** `isCheck`: in a health check, which says nothing about who listens. */
export type Mention = {
  readonly addresses: ReadonlyArray<HostReference>
  readonly at: Span
  readonly path: string
  readonly isCheck?: true
}

/** `NODE_IMAGE=node:20` is not an address; `DATABASE` does not end in the word `BASE`. */
const namesImage = /(?:^|[^a-z0-9])(?:IMAGE|VERSION|TAG|BASE)$/i

/** Each service by its aliases, as they are written and as they are, and its own name, which no alias changes. */
export type ByName = ReadonlyMap<string, ComposeService>

export const byNames = (services: ReadonlyArray<ComposeService>): ByName =>
  new Map([
    ...services.flatMap((service) =>
      service.network.aliases.flatMap(({ old = [], value }) => [...old, value].map((name) => [name, service] as const)),
    ),
    ...services.map((service) => [service.name, service] as const),
  ])

const inCommand = (byName: ByName, words: ReadonlyArray<string>): ReadonlyArray<HostReference> =>
  words.some((word) => hasName(word, byName)) ? addressesInCommand(words) : []

const inWritten = (byName: ByName, words: Written<ReadonlyArray<string>> | undefined): ReadonlyArray<Mention> =>
  words === undefined ? [] : [{ addresses: inCommand(byName, words.value), at: words.at, path: words.path }]

const inHealthcheck = (byName: ByName, { healthcheck, path }: ComposeService): ReadonlyArray<Mention> => {
  const { at, check } = healthcheck ?? {}
  if (at === undefined || check?._tag !== 'Exec') return []
  return [{ addresses: inCommand(byName, check.command), at, path: `${path}.healthcheck`, isCheck: true }]
}

const inVariable = (name: string, value: string): ReadonlyArray<HostReference> => {
  const addresses = addressesInValue(value)
  return namesImage.test(name) ? addresses.filter(({ isUrl }) => isUrl) : addresses
}

const mentionsIn = (byName: ByName, service: ComposeService): ReadonlyArray<Mention> =>
  [
    ...service.environment
      .filter(({ value }) => hasName(value, byName))
      .map(({ at, name, path, value }): Mention => ({ addresses: inVariable(name, value), at, path })),
    ...inWritten(byName, service.command),
    ...inWritten(byName, service.entrypoint),
    ...inHealthcheck(byName, service),
  ].filter(({ addresses }) => addresses.length > 0)

/** By the name of the service that mentions others. */
export type Mentions = ReadonlyMap<string, ReadonlyArray<Mention>>

export const readMentions = (services: ReadonlyArray<ComposeService>): Mentions => {
  const byName = byNames(services)
  return new Map(services.map((service) => [service.name, mentionsIn(byName, service)]))
}

/** Low numbers that are ports after the name of a program; any other low number is its version. */
const lowPorts: ReadonlySet<number> = new Set([20, 21, 22, 25, 53, 80, 88])

const repositoryOf = (image: string): string => {
  const last = image.slice(image.lastIndexOf('/') + 1)
  return last.split(/[:@]/, 1)[0] ?? ''
}

/** Whether `name:number` is an image: one of the file, or a version of what the service itself runs. */
export const imageOf = (
  services: ReadonlyArray<ComposeService>,
): ((address: HostReference, target: ComposeService) => boolean) => {
  const images = new Set(services.map(({ image }) => image.value))
  return ({ host, port }, target) => {
    if (port === undefined) return false
    if (images.has(`${host}:${port}`)) return true
    return port < 100 && !lowPorts.has(port) && repositoryOf(target.image.value) === host
  }
}
