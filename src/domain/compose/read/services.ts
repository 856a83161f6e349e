/** All services of a file: each one individually, then what they take from each other. */
import { pipe } from 'fp-ts/lib/function.js'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import type { ShapeMember, ValueOf } from '../../shape/shape.ts'
import { get } from '../../yaml/node.ts'
import type { AssembledProject } from '../assemble.ts'
import type { document } from '../fields/document.ts'
import type { Files } from '../files.ts'
import type { ComposeService } from '../model.ts'
import type { ServiceNames } from './depends-on.ts'
import { envFileReader } from './env-file.ts'
import { inferPorts } from './infer-ports.ts'
import { findPodRings, podsOf } from './pods.ts'
import {
  addLinkAliases,
  crowded,
  type DefinedNames,
  exclusions,
  incompletable,
  namedContainers,
  shareVolumes,
  undefinedReferences,
  unseenHealth,
} from './references.ts'
import { type RawService, readService, type ServiceContext } from './service.ts'
import { unusedDefinitions } from './unused.ts'

type Raw = ValueOf<typeof document>['value']
type RawServices = ReadonlyArray<ShapeMember<RawService>>

/** What to read about the services. */
type Wanted = {
  readonly enabled: ReadonlySet<string>
  readonly environment: string
  readonly files: Files
  readonly registry?: string | undefined
  readonly built?: ReadonlyMap<string, string> | undefined
}

const keysOf = (members: { readonly value: ReadonlyArray<{ readonly key: { readonly text: string } }> } | undefined) =>
  new Set(members?.value.map(({ key }) => key.text))

export const definedIn = ({ configs, networks, secrets, volumes }: Raw): DefinedNames => ({
  networks: keysOf(networks),
  volumes: keysOf(volumes),
  configs: keysOf(configs),
  secrets: keysOf(secrets),
})

/** Services that are not enabled: the files they name are not read, but their other mistakes are reported. */
const unseenErrors = (members: RawServices, around: ServiceContext): ReadonlyArray<Diagnostic> => {
  const blind: ServiceContext = {
    ...around,
    files: { ...around.files, want: () => undefined, kind: () => undefined, documents: () => undefined },
    readEnvFile: () => C.ok([]),
    names: { ...around.names, enabled: around.names.all },
  }
  return members
    .flatMap((member) => C.findings(readService(member, blind)))
    .filter(({ severity }) => severity === 'error')
}

/** Each service individually, then what they take from each other. */
const readTogether = (
  raw: Raw,
  members: RawServices,
  around: ServiceContext,
): Checked<ReadonlyArray<ComposeService>> => {
  const raws = new Map((raw.services?.value ?? []).map(({ key, value }) => [key.text, value]))
  return pipe(
    C.each((member: ShapeMember<RawService>) => readService(member, around))(members),
    C.map((services) => services.filter((service) => service !== undefined)),
    C.andThen((services) => shareVolumes(services, raws)),
    C.andThen((services) => addLinkAliases(services, raws)),
    C.andThen((services) => inferPorts(services, raws, around.files)),
    C.andThen((services) =>
      C.note(services, [
        ...findPodRings(services),
        ...incompletable(services),
        ...unseenHealth(services),
        ...crowded(podsOf(services)),
        ...undefinedReferences(raws, definedIn(raw)),
        ...unusedDefinitions(raw),
        ...exclusions(raws),
        ...namedContainers(new Map(members.map(({ key, value }) => [key.text, value]))),
      ]),
    ),
  )
}

/** The services that `enabled` names, and the names of all. Errors of the others are reported too. */
export const readServices = (
  raw: Raw,
  { root, variables }: AssembledProject,
  { built, enabled, environment, files, registry }: Wanted,
): { readonly names: ServiceNames; readonly services: Checked<ReadonlyArray<ComposeService>> } => {
  const members = raw.services?.value ?? []
  const written = get(root, 'services')
  const all = written?._tag === 'Mapping' ? written.entries.map((entry) => entry.key.text) : []
  const read = new Set(members.map(({ key }) => key.text))
  const names: ServiceNames = {
    all: new Set(all),
    enabled: new Set(all.filter((name) => enabled.has(name) || !read.has(name))),
  }
  const readEnvFile = envFileReader(files, variables)
  const around: ServiceContext = { environment, registry, built, names, variables, files, readEnvFile }
  const isEnabled = ({ key }: ShapeMember<RawService>): boolean => enabled.has(key.text)
  const services = readTogether(raw, members.filter(isEnabled), around)
  const unseen = unseenErrors(
    members.filter((member) => !isEnabled(member)),
    around,
  )
  return { names, services: C.andThen((value: ReadonlyArray<ComposeService>) => C.note(value, unseen))(services) }
}
