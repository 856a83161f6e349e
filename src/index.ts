/**
 * The library: what `devtool deploy --dry-run` does, as one pure function. It reads nothing but its argument, and
 * importing it has no effect.
 */

import { translateGiven } from './app/project/translate-given.ts'
import type { FileContent } from './domain/compose/file-content.ts'
import { defined } from './domain/object/defined.ts'
import { partition } from './domain/plan/action.ts'
import { printManifests } from './domain/plan/manifests.ts'
import type { Plan } from './domain/plan/plan.ts'
import { isList, isMap, type Value } from './domain/print/value.ts'
import { normalise } from './domain/text/path.ts'

export type { Action } from './domain/plan/action.ts'
export type { Plan } from './domain/plan/plan.ts'

type Texts = Readonly<Record<string, string>>

/** Lines and columns begin with 1; `endCol` is the one after the last. */
export type Span = {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly endLine: number
  readonly endCol: number
}

/**
 * What is wrong or worth knowing, as `validate -o json` prints it. `path`: the field, as in `services.web.ports[0]`.
 */
export type Diagnostic = {
  readonly severity: 'error' | 'warning' | 'note'
  /** `devtool explain CODE` explains it. */
  readonly code: string
  readonly message: string
  readonly help?: string
  readonly at?: Span
  readonly related?: ReadonlyArray<{ readonly at: Span; readonly message: string }>
  readonly path?: string
}

/** Paths are relative to one folder, with forward slashes; a content is text, or the bytes of a text. */
export type Input = {
  readonly files: ReadonlyMap<string, string | Uint8Array> | Readonly<Record<string, string | Uint8Array>>
  /**
   * The Compose files to read, later ones merged over earlier ones. Default: chosen from `files` as the command does.
   */
  readonly file?: string | ReadonlyArray<string>
  /** Files of variables, in place of `.env`. */
  readonly envFiles?: ReadonlyArray<string>
  /** What the command finds in its environment; default empty. DEVTOOL_* and COMPOSE_* mean what they mean there. */
  readonly environment?: Texts
  /** As `--var`: these win over all other variables. */
  readonly variables?: Texts
  /** Name of the environment; default: `name:` of the file, else `app`. */
  readonly name?: string
  readonly namespace?: string
  readonly domain?: string
  readonly registry?: string
  readonly ingressClass?: string
  readonly tlsSecret?: string
  readonly profiles?: ReadonlyArray<string>
  /** Only these services and what they depend on. */
  readonly services?: ReadonlyArray<string>
  /** Put services that share a volume on one node; default true. */
  readonly volumeAffinity?: boolean
  /** `config`: files of the project that services mount become ConfigMaps; default `ignore`. */
  readonly hostFiles?: 'config' | 'ignore'
  /** Warnings are errors. */
  readonly strict?: boolean
}

/** A Kubernetes object as plain data, ready for `JSON.stringify`. */
export type KubernetesObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Texts
    readonly annotations?: Texts
  }
  readonly [key: string]: unknown
}

/**
 * `objects`, Secrets with their values among them, are in the order of the file; with an error there are none, and no
 * `plan`.
 */
export type Output = {
  readonly objects: ReadonlyArray<KubernetesObject>
  readonly plan?: Plan
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const mapOf = <A>(given: ReadonlyMap<string, A> | Readonly<Record<string, A>> = {}): ReadonlyMap<string, A> =>
  given instanceof Map ? given : new Map(Object.entries(given))

const contentsOf = (files: Input['files']): ReadonlyMap<string, FileContent> => {
  const encoder = new TextEncoder()
  return new Map(
    [...mapOf<string | Uint8Array>(files)].map(([path, content]) => [
      normalise(path),
      { _tag: 'File', bytes: typeof content === 'string' ? encoder.encode(content) : content },
    ]),
  )
}

/** Maps become objects; an own property is made even of `__proto__`. */
const plain = (value: Value): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(plain)
  const entries = isMap(value) ? [...value] : Object.entries(value)
  return Object.fromEntries(entries.flatMap(([key, member]) => (member === undefined ? [] : [[key, plain(member)]])))
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null && 'kind' in value && 'metadata' in value

const objectsOf = ({ actions }: Plan): ReadonlyArray<KubernetesObject> =>
  partition(actions)
    .Apply.map(({ object }) => plain(object))
    .filter(isObject)

const settingsOf = ({
  domain,
  hostFiles,
  ingressClass,
  namespace,
  profiles,
  registry,
  tlsSecret,
  volumeAffinity,
}: Input) => defined({ domain, hostFiles, ingressClass, namespace, profiles, registry, tlsSecret, volumeAffinity })

/**
 * Compose files → Kubernetes objects. Never throws for what is wrong with the files: that is in `diagnostics`.
 *
 * @example
 * import { translate } from '../src/index.ts'
 * const { objects, diagnostics } = translate({ files: { 'compose.yaml': 'services: { web: { image: nginx } }' } })
 * assert.deepEqual(diagnostics, [])
 * assert.deepEqual(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`), ['Deployment/web', 'Service/web'])
 */
export const translate = (input: Input): Output => {
  const { environment, envFiles, file = [], files, name, services = [], strict = false, variables } = input
  const wanted = {
    cwd: '/',
    files: typeof file === 'string' ? [file] : file,
    envFiles: envFiles?.map(normalise),
    name,
    guess: 'app',
    given: mapOf(variables),
    shell: mapOf(environment),
    separator: ':',
    services,
    settings: settingsOf(input),
    isConfined: false,
    isStrict: strict,
  }
  const { findings, plan } = translateGiven(contentsOf(files), wanted)
  if (plan === undefined) return { objects: [], diagnostics: findings }
  let objects: ReadonlyArray<KubernetesObject> | undefined
  return {
    // Computed on demand: takes a third as long as all the rest, and is not needed to print the plan.
    get objects() {
      objects ??= objectsOf(plan)
      return objects
    },
    plan,
    diagnostics: findings,
  }
}

/** The same bytes as `deploy --dry-run --show-secrets` prints; without `showSecrets`, as `deploy --dry-run` does. */
export const toYaml = (plan: Plan, options: { readonly showSecrets?: boolean } = {}): string =>
  printManifests(plan, options.showSecrets ?? false)
