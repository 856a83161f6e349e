/** An assembled tree → what it means. Everything is checked, even after errors. */
import type { Image } from '../../build/image.ts'
import { rings, unbuilt } from '../../build/needs.ts'
import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import type { ShapeMember, ValueOf } from '../../shape/shape.ts'
import { dnsLabel, isDnsLabel } from '../../text/dns-name.ts'
import { listed } from '../../text/listed.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import { get } from '../../yaml/node.ts'
import type { AssembledProject } from '../assemble.ts'
import { document } from '../fields/document.ts'
import type { Files } from '../files.ts'
import type { ComposeService, Model } from '../model.ts'
import type { StoredFile, Volume } from '../volume-model.ts'
import { sharersIn } from './alias-carriers.ts'
import { withBases } from './base-images.ts'
import { readServiceImage } from './build.ts'
import { readEndpoints } from './endpoints.ts'
import type { HostFilesChoice } from './host-files.ts'
import { podsOf } from './pods.ts'
import { undefinedMounts } from './references.ts'
import type { RawService } from './service.ts'
import { definedIn, readServices } from './services.ts'
import { readStoredFile } from './stored-files.ts'
import { readVolume } from './volumes.ts'

/**
 * Which part of a project is wanted. Without `services`, everything that the profiles enable; `others` are services
 * that are kept besides `services`. `only` restricts the deployment to some services, enabling them if necessary.
 * `registry` is where built images go; `built` are the images that exist already, by path of their `build`.
 * `mayBeEmpty`: having no services is fine, because there is more to do.
 */
export type Choice = {
  readonly profiles: ReadonlyArray<string>
  readonly services: ReadonlyArray<string>
  readonly others?: ReadonlySet<string> | undefined
  readonly only: ReadonlyArray<string>
  readonly mayBeEmpty?: boolean
  readonly registry?: string | undefined
  readonly hostFiles?: HostFilesChoice | undefined
  readonly built?: ReadonlyMap<string, string> | undefined
}

type RawServices = ReadonlyArray<ShapeMember<RawService>>
type Raw = ValueOf<typeof document>['value']

/**
 * The environment's name: a DNS label. A name that is valid only in Compose is changed with a warning; a guessed one
 * silently.
 */
const readName = ({ name, isGuessed, root }: AssembledProject): Checked<string> => {
  const at = get(root, 'name') ?? root
  if (isDnsLabel(name)) return C.ok(name)
  const label = dnsLabel(name)
  if (isGuessed) return C.ok(label)
  if (/^[a-z0-9][a-z0-9_-]*$/.test(name)) {
    return C.note(label, [
      warning('DT1103', `"${name}" is not a DNS label, so the environment is named ${label}`, { at, path: 'name' }),
    ])
  }
  return C.note(label, [
    error('DT1031', `"${name}" is not a valid environment name`, {
      at,
      path: 'name',
      help: 'use lower-case letters, digits and -, beginning with a letter, at most 63',
    }),
  ])
}

/**
 * Services without profiles, those of an active profile, and those named explicitly. As in Compose, the empty profile is
 * active while no other is wanted: files give it to what runs by default.
 */
const enabledOf = (
  services: RawServices,
  profiles: ReadonlyArray<string>,
  named: ReadonlyArray<string>,
): ReadonlySet<string> => {
  const wanted = new Set(named)
  // Naming a service explicitly activates its profiles (Compose Specification, "profiles").
  const brought = services.flatMap(({ key, value }) =>
    wanted.has(key.text) ? (value.value.profiles?.value ?? []) : [],
  )
  const active = new Set([...(profiles.length === 0 ? [''] : profiles), ...brought.map(({ value }) => value)])
  const isEnabled = ({ key, value }: ShapeMember<RawService>): boolean => {
    const own = value.value.profiles?.value ?? []
    return (
      own.length === 0 || active.has('*') || wanted.has(key.text) || own.some((profile) => active.has(profile.value))
    )
  }
  return new Set(services.filter(isEnabled).map(({ key }) => key.text))
}

/** DT1044 when the profiles enable no services. */
const nothingEnabled = (services: RawServices, enabled: ReadonlySet<string>): ReadonlyArray<Diagnostic> => {
  const [first] = services
  if (first === undefined || enabled.size > 0) return []
  const known = new Set(services.flatMap(({ value }) => value.value.profiles?.value.map((p) => p.value) ?? []))
  known.delete('')
  return [
    error('DT1044', 'no service is enabled by the active profiles', {
      at: first.key,
      help: `enable some with --profile: ${[...known].join(', ')}`,
    }),
  ]
}

const unknownChoices = (services: RawServices, { only }: Choice): ReadonlyArray<Diagnostic> => {
  const all = services.map(({ key }) => key.text)
  return only
    .filter((name) => !all.includes(name))
    .map((name) =>
      error('DT2005', `there is no service "${name}"`, {
        help: didYouMean(name, all, `the services are ${listed(all)}`),
      }),
    )
}

/** The names and everything they need, directly or through others. */
const reached = (names: ReadonlyArray<string>, needs: (name: string) => ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const next = [...names]
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const one of needs(name)) next.push(one)
  }
  return found
}

/** The services that a service depends on, or whose pod it shares. */
const needsAmong = (services: ReadonlyArray<ComposeService>): ((name: string) => ReadonlyArray<string>) => {
  const byName = new Map(services.map((service) => [service.name, service]))
  return (name) => {
    const { dependsOn = [], podOf } = byName.get(name) ?? {}
    return [...dependsOn.map(({ service }) => service), ...(podOf === undefined ? [] : [podOf.value])]
  }
}

/** `services` make up the environment, `wanted` are the ones to deploy. */
type Selected = { readonly services: ReadonlyArray<ComposeService>; readonly wanted: ReadonlyArray<ComposeService> }

/** All services, or the chosen ones and everything they need. */
const environmentOf = (
  services: ReadonlyArray<ComposeService>,
  { others, services: named }: Choice,
): ReadonlyArray<ComposeService> => {
  if (named.length === 0 && others === undefined) return services
  const chosen = reached([...named, ...(others ?? [])], needsAmong(services))
  return services.filter(({ name }) => chosen.has(name))
}

/**
 * A pod is created as a whole, so every service in the pod of a wanted service is wanted as well. So is every service
 * that has an alias in common with it: a Service for all of them must not select pods that lack its label.
 */
const wantedOf = (
  services: ReadonlyArray<ComposeService>,
  only: ReadonlyArray<string>,
): ReadonlyArray<ComposeService> => {
  const needs = needsAmong(services)
  const members = new Map(podsOf(services).map(({ owner, joined }) => [owner.name, joined.map(({ name }) => name)]))
  const sharers = sharersIn(services)
  const wanted = reached(only, (name) => [...needs(name), ...(members.get(name) ?? []), ...(sharers.get(name) ?? [])])
  return services.filter(({ name }) => wanted.has(name))
}

/** `isOn`: enabled when `only` names nothing, so that deploying a part does not change the environment. */
const selected = (all: ReadonlyArray<ComposeService>, choice: Choice, isOn: ReadonlySet<string>): Selected => {
  if (choice.only.length === 0) {
    const services = environmentOf(all, choice)
    return { services, wanted: services }
  }
  const environment = environmentOf(
    all.filter(({ name }) => isOn.has(name)),
    choice,
  )
  const known = new Set(environment.map(({ name }) => name))
  const brought = reached(choice.only, needsAmong(all))
  const services = all.filter(({ name }) => known.has(name) || brought.has(name))
  return { services, wanted: wantedOf(services, choice.only) }
}

/** Files are read only for the services to deploy. */
const readResources = (raw: Raw, { services, wanted }: Selected, files: Files, project: AssembledProject) => {
  const mounts = wanted.flatMap((service) => service.mounts)
  const used = {
    volumes: new Set(
      services.flatMap((service) => service.mounts).flatMap((m) => (m._tag === 'Named' ? [m.volume] : [])),
    ),
    configs: new Set(mounts.flatMap((m) => (m._tag === 'Config' ? [m.config] : []))),
    secrets: new Set(mounts.flatMap((m) => (m._tag === 'Secret' ? [m.secret] : []))),
  }
  const isUsed =
    (section: keyof typeof used) =>
    ({ key }: { readonly key: { readonly text: string } }): boolean =>
      used[section].has(key.text)
  return C.struct({
    volumes: C.map((volumes: ReadonlyArray<Volume>) => volumes.filter(({ name }) => used.volumes.has(name)))(
      C.each(readVolume)(raw.volumes?.value ?? []),
    ),
    configs: C.each(readStoredFile('configs', files, project.variables))(
      (raw.configs?.value ?? []).filter(isUsed('configs')),
    ),
    secrets: C.each(readStoredFile('secrets', files, project.variables))(
      (raw.secrets?.value ?? []).filter(isUsed('secrets')),
    ),
    undefinedMounts: C.note(undefined, undefinedMounts(mounts, definedIn(project))),
  })
}

/** Images of the services to deploy, and of those whose images they use as contexts. Finds DT1013, DT1503. */
const readImages = (
  raw: Raw,
  { wanted }: Selected,
  variables: Variables,
  options: { readonly enabled: ReadonlySet<string>; readonly files: Files },
): Checked<ReadonlyArray<Image>> => {
  const services = raw.services?.value ?? []
  const secrets = raw.secrets?.value ?? []
  const read = services.map((member) => ({
    name: member.key.text,
    image: readServiceImage({ secrets, variables })(member),
  }))
  const images = read.flatMap(({ image }) => C.valueOf(image) ?? [])
  const enabled = services.filter(({ key }) => options.enabled.has(key.text))
  const raws = new Map(enabled.map(({ key, value }) => [key.text, value]))
  const all = withBases(images, raws, options.files)
  const byName = new Map(all.map((image) => [image.name, image]))
  const needed = reached(
    wanted.flatMap(({ name }) => (byName.has(name) ? [name] : [])),
    (name) => byName.get(name)?.dependsOn.map(({ value }) => value) ?? [],
  )
  const isLookedAt = (name: string): boolean => options.enabled.has(name) || needed.has(name)
  const found = read.flatMap(({ image, name }) => (isLookedAt(name) ? C.findings(image) : []))
  return C.note(
    all.filter(({ name }) => needed.has(name)),
    [...found, ...unbuilt(all, needed), ...rings(all)],
  )
}

/**
 * The model of a project. Env files, secrets, configs, label files and Dockerfiles are requested through `files`: fetch
 * what is missing and call again, until nothing is missing.
 */
export const readModel = (project: AssembledProject, choice: Choice, files: Files): Checked<Model> => {
  const named = readName(project)
  const environment = C.valueOf(named) ?? project.name
  return C.andThen((raw: ValueOf<typeof document>) => {
    const written = raw.value.services?.value ?? []
    const enabled = enabledOf(written, choice.profiles, [...choice.services, ...choice.only])
    const { names, services } = readServices(raw.value, project, {
      enabled,
      environment,
      files,
      registry: choice.registry,
      hostFiles: choice.hostFiles,
      built: choice.built,
    })
    const all = C.valueOf(services) ?? []
    const isOn = choice.only.length === 0 ? enabled : enabledOf(written, choice.profiles, choice.services)
    const chosen = selected(all, choice, isOn)
    const parts = C.struct({
      name: named,
      choices: C.note(undefined, [
        ...unknownChoices(written, choice),
        ...(choice.mayBeEmpty === true ? [] : nothingEnabled(written, enabled)),
      ]),
      services,
      resources: readResources(raw.value, chosen, files, project),
      images: readImages(raw.value, chosen, project.variables, { enabled, files }),
      endpoints: readEndpoints(raw.value.endpoints, environment, {
        services: new Map(all.map((s) => [s.name, s])),
        names,
      }),
    })
    const isThere = new Set(chosen.services.map((service) => service.name))
    return C.map(
      ({ images, resources, endpoints }: C.ValueIn<typeof parts>): Model => ({
        environment,
        services: chosen.services,
        images: images ?? [],
        ...(choice.only.length === 0 ? {} : { part: new Set(chosen.wanted.map(({ object }) => object)) }),
        declared: [...names.all].map((name) => dnsLabel(name)),
        switchedOff: [...names.all].filter((name) => !names.enabled.has(name)).map((name) => dnsLabel(name)),
        volumes: (resources?.volumes ?? []) satisfies ReadonlyArray<Volume>,
        configs: (resources?.configs ?? []) satisfies ReadonlyArray<StoredFile>,
        secrets: resources?.secrets ?? [],
        endpoints: (endpoints ?? [])
          .map((endpoint) => ({ ...endpoint, rules: endpoint.rules.filter((rule) => isThere.has(rule.service)) }))
          .filter((endpoint) => endpoint.rules.length > 0),
      }),
    )(parts)
  })(document.read(project.root, ''))
}
