/** All services of a file: each individually, then the values that they take from each other. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import type { ShapeMember, ValueOf } from '../../shape/shape.ts'
import type { Span } from '../../text/source.ts'
import { get, isNull, type Node } from '../../yaml/node.ts'
import type { AssembledProject } from '../assemble.ts'
import type { document } from '../fields/document.ts'
import type { Files } from '../files.ts'
import type { ComposeService } from '../model.ts'
import { changedNames } from './changed-names.ts'
import { tooManyCopies } from './copies.ts'
import type { ServiceNames } from './depends-on.ts'
import { emptyVolumes } from './empty-volumes.ts'
import { envFileReader } from './env-file.ts'
import { type HostFilesChoice, turnHostFiles } from './host-files.ts'
import { addHostNames } from './host-names.ts'
import { inferPorts } from './infer-ports.ts'
import { lostIsolation } from './isolation.ts'
import { labelFileReader } from './labels.ts'
import { readMentions } from './mentions.ts'
import { findPodRings, podsOf } from './pods.ts'
import { publicPorts } from './public-ports.ts'
import {
  addLinkAliases,
  crowded,
  type DefinedNames,
  endingServers,
  exclusions,
  finiteByNeed,
  incompletable,
  namedContainers,
  sameContainerNames,
  undefinedReferences,
  unseenHealth,
} from './references.ts'
import { saidOnce } from './said-once.ts'
import { markSelfChecks } from './self-checks.ts'
import { type RawService, readService, type ServiceContext } from './service.ts'
import { unusedDefinitions } from './unused.ts'
import { shareVolumes } from './volumes-from.ts'

type Raw = ValueOf<typeof document>['value']
type RawServices = ReadonlyArray<ShapeMember<RawService>>

/** What to read about the services. */
type ServiceOptions = {
  readonly enabled: ReadonlySet<string>
  readonly environment: string
  readonly files: Files
  readonly registry?: string | undefined
  readonly hostFiles?: HostFilesChoice | undefined
  readonly built?: ReadonlyMap<string, string> | undefined
}

const namesOf = (section: Node | undefined): ReadonlySet<string> | undefined => {
  if (section === undefined || isNull(section)) return new Set()
  return section._tag === 'Mapping' ? new Set(section.entries.map(({ key }) => key.text)) : undefined
}

/** Not of what was read, which lacks definitions with mistakes. */
export const definedIn = ({ root }: AssembledProject): DefinedNames => ({
  networks: namesOf(get(root, 'networks')),
  volumes: namesOf(get(root, 'volumes')),
  configs: namesOf(get(root, 'configs')),
  secrets: namesOf(get(root, 'secrets')),
})

/** Where each awaited service is awaited first: in the whole file, so that profiles do not change its kind. */
const awaitedIn = (members: RawServices): ServiceContext['awaited'] => {
  const awaited = new Map<string, Span>()
  for (const { value } of members) {
    for (const item of value.value.depends_on?.value ?? []) {
      const condition = 'key' in item ? item.value?.value.condition : undefined
      if (!('key' in item) || condition?.value !== 'service_completed_successfully') continue
      if (!awaited.has(item.key.text)) awaited.set(item.key.text, condition.at)
    }
  }
  return awaited
}

/** Keyed by `container_name`. */
const containersIn = (members: RawServices): ServiceNames['containers'] =>
  new Map(
    members.flatMap(({ key, value: { value } }) =>
      value.container_name === undefined ? [] : [[value.container_name.value, key.text] as const],
    ),
  )

/** Each service individually, then the values that they take from each other. */
const readTogether = (
  raw: Raw,
  members: RawServices,
  context: ServiceContext,
  { defined, hostFiles }: { readonly defined: DefinedNames; readonly hostFiles: HostFilesChoice },
): Checked<ReadonlyArray<ComposeService>> => {
  const raws = new Map(members.map(({ key, value }) => [key.text, value]))
  return pipe(
    C.each((member: ShapeMember<RawService>) => readService(member, context))(members),
    C.map((services) => services.filter((service) => service !== undefined)),
    C.andThen((services) =>
      turnHostFiles(services, { members, secrets: raw.secrets?.value ?? [] }, hostFiles, context.files),
    ),
    C.andThen((services) => shareVolumes(services, raws, context.names.containers, context.files.budget)),
    C.map((services) => addHostNames(addLinkAliases(services, raws), raws)),
    C.andThen((services) => {
      const mentions = readMentions(services)
      return pipe(
        inferPorts(services, mentions, raws, context.files),
        C.andThen(({ services: all, used }) => C.note(all, changedNames(all, raws, used))),
        C.andThen((all) => markSelfChecks(all, mentions)),
      )
    }),
    C.andThen((services) =>
      C.note(services, [
        ...findPodRings(services),
        ...incompletable(services, raws),
        ...finiteByNeed(services, raws),
        ...unseenHealth(services),
        ...saidOnce(services),
        ...emptyVolumes(services, raw.volumes?.value ?? []),
        ...publicPorts(services),
        ...lostIsolation(services, raws, raw),
        ...endingServers(services, raws),
        ...crowded(podsOf(services)),
        ...undefinedReferences(raws, defined),
        ...unusedDefinitions(raw),
        ...exclusions(raws),
        ...tooManyCopies(services, context.files.budget),
        ...namedContainers(raws),
        ...sameContainerNames(raws),
      ]),
    ),
  )
}

/** The services that `enabled` names, and the names of all. Services that are not enabled are not read. */
export const readServices = (
  raw: Raw,
  project: AssembledProject,
  { built, enabled, environment, files, hostFiles = 'ignore', registry }: ServiceOptions,
): { readonly names: ServiceNames; readonly services: Checked<ReadonlyArray<ComposeService>> } => {
  const { root, variables } = project
  const members = raw.services?.value ?? []
  const written = get(root, 'services')
  const all = written?._tag === 'Mapping' ? written.entries.map((entry) => entry.key.text) : []
  const read = new Set(members.map(({ key }) => key.text))
  const names: ServiceNames = {
    all: new Set(all),
    enabled: new Set(all.filter((name) => enabled.has(name) || !read.has(name))),
    containers: containersIn(members),
  }
  const readEnvFile = envFileReader(files, variables)
  const readLabelFile = labelFileReader(files)
  const awaited = awaitedIn(members)
  const context: ServiceContext = {
    environment,
    registry,
    built,
    names,
    awaited,
    variables,
    files,
    readEnvFile,
    readLabelFile,
  }
  const isEnabled = ({ key }: ShapeMember<RawService>): boolean => enabled.has(key.text)
  const around = { defined: definedIn(project), hostFiles }
  return { names, services: readTogether(raw, members.filter(isEnabled), context, around) }
}
