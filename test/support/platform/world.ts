/** A platform over a cluster in memory, with users in every role. */

import * as TE from 'fp-ts/lib/TaskEither.js'
import { apiApp, type ServedRequest } from '../../../src/adapters/api-server/app.ts'
import { eventStreams } from '../../../src/adapters/api-server/streams.ts'
import { type WebFile, type WebFiles, webFile } from '../../../src/adapters/api-server/web-files.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { x509Certificates } from '../../../src/adapters/x509/certificates.ts'
import { answering } from '../../../src/app/platform/answer.ts'
import { answeringPages } from '../../../src/app/platform/pages.ts'
import { at, type Json, type JsonObject, numberAt, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import { isLive } from '../../../src/domain/cluster/live.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { SLEEP_LABEL, SLEEP_NAME } from '../../../src/domain/k8s/labels.ts'
import { type AccessState, accessState } from '../../../src/domain/platform/access.ts'
import { tokenObject, userObject } from '../../../src/domain/platform/account.ts'
import { scopedNamespace } from '../../../src/domain/platform/manifests/namespaces.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../../src/domain/platform/role.ts'
import type { Scope } from '../../../src/domain/platform/scope.ts'
import type { PlatformSettings } from '../../../src/domain/platform/settings.ts'
import { type ApiToken, showToken, TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import { decodeBase64, encodeBase64Text } from '../../../src/domain/text/base64.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { IdentityIssuer } from '../../../src/ports/identity.ts'
import type { Sealing } from '../../../src/ports/sealing.ts'
import { settle } from '../../memory/clock.ts'
import { type MemoryCluster, type MemoryClusterOptions, memoryCluster } from '../../memory/cluster.ts'
import { memoryOutgoing } from './outgoing.ts'

const ISSUER = 'https://login.example.com'
const NOW = '2026-11-21T10:00:00Z'
const all: Scope = { _tag: 'All' }

type TestUser = {
  readonly role?: NamespaceRole
  readonly scope?: Scope
  readonly expires?: string
  readonly isDisabled?: boolean
  readonly isAdmin?: boolean
}

/** Their roles are those in the namespace `shop`. */
const people = {
  owner: { role: 'owner' },
  member: { role: 'member' },
  viewer: { role: 'viewer' },
  stranger: {},
  admin: { isAdmin: true },
  reader: { role: 'owner', scope: { _tag: 'Read' } },
  guest: { role: 'owner', scope: { _tag: 'Namespace', namespace: 'shop' } },
  elsewhere: { role: 'owner', scope: { _tag: 'Namespace', namespace: 'other' } },
  expired: { role: 'owner', expires: NOW },
  disabled: { role: 'owner', isDisabled: true },
} as const satisfies Readonly<Record<string, TestUser>>
export type Person = keyof typeof people

/** In the namespace `shop`. */
export const roleOf = (person: Person): NamespaceRole | undefined => {
  const { role }: TestUser = people[person]
  return role
}

export const idOf = (person: Person): string => userIdOf(ISSUER, person)
export const emailOf = (person: Person): string => `${person}@example.com`

const personNumber = (person: Person): number => Object.keys(people).indexOf(person) + 1
const apiTokenOf = (person: Person): ApiToken => tokenFrom(new Uint8Array(TOKEN_BYTES).fill(personNumber(person)))
export const tokenOf = (person: Person): string => showToken(apiTokenOf(person))
export const tokenIdOf = (person: Person): string => apiTokenOf(person).id

const objectsOf = (person: Person): ReadonlyArray<JsonObject> => {
  const {
    expires = '2027-01-01T00:00:00Z',
    isAdmin = false,
    isDisabled = false,
    role,
    scope = all,
  }: TestUser = people[person]
  const user = { id: idOf(person), email: emailOf(person), isAdmin, isDisabled }
  return [
    userObject(user, { issuer: ISSUER, subject: person }),
    tokenObject(apiTokenOf(person), { user: user.id, name: person, scope, expires }),
    ...(role === undefined ? [] : [bindingObject('shop', user, role)]),
  ]
}

export const isPerson = (text: string | undefined): text is Person => text !== undefined && Object.hasOwn(people, text)
export const persons: ReadonlyArray<Person> = Object.keys(people).filter(isPerson)

/** A namespace that is complete. */
const madeNamespace = (name: string, owner: Person): JsonObject => {
  const { metadata, ...rest } = namespaceObject(name, 'namespace', idOf(owner))
  return { ...rest, metadata: { name, labels: at(metadata, 'labels') } }
}

const variables = (namespace: string, value: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'devtool-variables', namespace },
  data: { COLOR: encodeBase64Text(value) },
})

/**
 * `foreign` is a namespace of the platform that only `stranger` is a member of; `kube-system` is not the platform's.
 */
export const objects = (): ReadonlyArray<JsonObject> => [
  scopedNamespace,
  madeNamespace('shop', 'owner'),
  madeNamespace('foreign', 'stranger'),
  variables('shop', 'red'),
  variables('devtool-system', 'blue'),
  bindingObject('foreign', { id: idOf('stranger'), email: emailOf('stranger') }, 'owner'),
  ...persons.flatMap(objectsOf),
]

export const settings: PlatformSettings = {
  image: 'registry.example.com/devtool-platform:1',
  version: '0.0.0',
  url: 'https://devtool.example.com',
  domain: 'example.com',
  registry: 'registry.example.com',
  kubernetes: { server: 'https://kubernetes.example.com', authority: 'PEM' },
  identity: { issuer: ISSUER, client: 'devtool', isInsecure: false },
  admission: { admins: ['admin@example.com'], domains: ['example.com'], groups: ['guests'] },
  proxies: ['192.0.2.0/24'],
  previewSeconds: 604_800,
}

const file = (name: string, text: string): WebFile => webFile(name, new TextEncoder().encode(text))

/** Pages with one file. */
export const web: WebFiles = {
  page: file('index.html', '<!doctype html><title>devtool</title>'),
  assets: new Map([['app-1.js', file('app-1.js', 'run()')]]),
}

const jsonIn = (text: string): Json => {
  try {
    return JSON.parse(new TextDecoder().decode(decodeBase64(text)))
  } catch {
    return null
  }
}

/** Seals without encryption. */
export const openSealing = ({ wallMs }: Pick<Clock, 'wallMs'>): Sealing => ({
  seal: (purpose, content, seconds) => async () =>
    encodeBase64Text(JSON.stringify({ purpose, content, until: wallMs() + seconds * 1000 })),
  open: (purpose, text) => async () => {
    const json = jsonIn(text)
    const isOpen = textAt(json, 'purpose') === purpose && wallMs() < (numberAt(json, 'until') ?? 0)
    return isOpen ? objectAt(json, 'content') : undefined
  },
})

/** An issuer that accepts whoever the callback names: `?subject=ann&email=ann@example.com`. */
export const trustingIdentity: IdentityIssuer = {
  address: ({ state }) => TE.right(`${ISSUER}/authorize?state=${state}`),
  identified: (callback, { state }) => {
    const query = new URL(callback).searchParams
    if (query.get('state') !== state) return TE.left(error('DT6012', 'another state'))
    return TE.right({
      issuer: ISSUER,
      subject: query.get('subject') ?? '',
      email: query.get('email') ?? '',
      isVerified: query.get('verified') !== 'false',
      groups: query.getAll('group'),
    })
  },
}

export type TestPlatform = {
  readonly cluster: MemoryCluster
  /** The access state of this replica. */
  readonly access: AccessState
  readonly sealing: Sealing
  readonly served: ReadonlyArray<ServedRequest>
  readonly failures: ReadonlyArray<unknown>
  /** What was noted for those who run the platform. */
  readonly notes: ReadonlyArray<string>
  readonly send: (method: string, path: string, more?: Sending) => Promise<Response>
  /** Advances the time. */
  readonly pass: (ms: number) => void
}
type Sending = {
  readonly as?: Person
  /** The form that a page of the platform sends. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The address of the connection. */
  readonly address?: string
}

/** Gives somebody the role of an administrator. */
export const makeAdmin = ({ cluster }: TestPlatform, person: Person): void => {
  const user = { id: idOf(person), email: emailOf(person), isAdmin: true, isDisabled: false }
  cluster.put(userObject(user, { issuer: ISSUER, subject: person }))
}

/** The record of a namespace that sleeps. */
export const sleepRecord = (namespace: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: SLEEP_NAME, namespace, labels: { [SLEEP_LABEL]: 'asleep' } },
})

/** A pod of the build service that is ready. */
export const builderPod = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'devtool-builder', labels: { 'dev.devtool/service': 'buildkitd' } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
})

const testBuilder = {
  authority: x509Certificates.authority('devtool builder', { nowMs: Date.parse(NOW), days: 30 }),
  certificates: x509Certificates,
}

type TestPlatformOptions = Pick<MemoryClusterOptions, 'failures'> & {
  readonly admins?: ReadonlyArray<string>
  readonly builder?: 'none' | 'starting' | 'ready'
  readonly previewSeconds?: number
  readonly after?: Clock['after']
}

export const testPlatform = ({
  admins = settings.admission.admins,
  failures: scripted = [],
  builder = 'ready',
  previewSeconds = settings.previewSeconds,
  after = () => () => {},
}: TestPlatformOptions = {}): TestPlatform => {
  let [counter, nowMs] = [0, 0]
  const cluster = memoryCluster({ objects: objects(), failures: scripted })
  if (builder === 'ready') cluster.put(builderPod('buildkitd-0'))
  const access = accessState()
  cluster.onChange(({ _tag, object }) => {
    if (object.kind !== 'Namespace' && object.kind !== 'RoleBinding' && object.metadata.name !== SLEEP_NAME) return
    if (_tag === 'Removed') access.forget(object)
    else access.see(object)
  })
  for (const object of objects()) {
    if (object['kind'] !== 'Namespace' && object['kind'] !== 'RoleBinding') continue
    const live = cluster.put(object)
    if (isLive(live)) access.see(live)
  }
  const notes: Array<string> = []
  const wallMs = (): number => Date.parse(NOW) + nowMs
  const sealing = openSealing({ wallMs })
  const world = {
    cluster,
    access,
    clock: {
      date: () => new Date(wallMs()).toISOString().replace('.000', ''),
      now: () => nowMs,
      wallMs,
      sleep: () => settle(),
      every: () => () => {},
      after,
      timeout: () => new AbortController().signal,
    },
    random: { bytes: (count: number) => new Uint8Array(count).fill(100 + (counter += 1)) },
    settings: { ...settings, previewSeconds, admission: { ...settings.admission, admins } },
    sealing,
    identity: trustingIdentity,
    builder: builder === 'none' ? undefined : testBuilder,
    note: (kind: string, text: string) => void notes.push(`${kind} ${text}`),
  }
  const answer = answering(world)
  const [served, failures]: [Array<ServedRequest>, Array<unknown>] = [[], []]
  const app = apiApp({
    answer,
    streams: eventStreams({ clock: systemClock, failed: (cause) => void failures.push(cause) }),
    page: answeringPages(world),
    web,
    url: settings.url,
    proxies: settings.proxies,
    now: () => nowMs,
    newId: () => `request-${served.length + 1}`,
    served: (one) => void served.push(one),
    failed: (_, cause) => void failures.push(cause),
  })
  return {
    cluster,
    access,
    sealing,
    served,
    failures,
    notes,
    pass: (ms) => {
      nowMs += ms
    },
    send: async (method, path, { address = '192.0.2.1', as, body, form, headers = {} } = {}) => {
      const { outgoing, sent } = memoryOutgoing()
      const response = await app.request(
        path,
        {
          method,
          headers: {
            ...(as === undefined ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(form === undefined ? {} : { origin: settings.url }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
        },
        { address, outgoing },
      )
      return sent() ?? response
    },
  }
}
