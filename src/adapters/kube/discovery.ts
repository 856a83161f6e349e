/** Discovery: the version of the API server, and all kinds that can be listed and deleted. */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ApiRequest, Failure } from '../../domain/cluster/failure.ts'
import { at, type Json, type JsonObject, listAt, textAt } from '../../domain/cluster/json.ts'
import type { Resource } from '../../domain/cluster/resources.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Asker } from './api/request.ts'

/** Newest first; an older server answers with the format it knows. */
const aggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')

/** Of a kind with several versions in a group, the first is preferred. */
const preferred = (all: ReadonlyArray<Resource>): ReadonlyArray<Resource> =>
  [
    ...new Map(all.toReversed().map((resource) => [`${resource.group}/${resource.plural}`, resource])).values(),
  ].toReversed()

const canListAndDelete = (resource: Json): boolean => {
  const verbs = listAt(resource, 'verbs')
  return verbs.includes('list') && verbs.includes('delete')
}

const ofGroup = (group: Json): ReadonlyArray<Resource> =>
  listAt(group, 'versions').flatMap((version) =>
    listAt(version, 'resources')
      .filter(canListAndDelete)
      .map((resource) => ({
        group: textAt(group, 'metadata', 'name') ?? '',
        version: textAt(version, 'version') ?? '',
        plural: textAt(resource, 'resource') ?? '',
        kind: textAt(resource, 'responseKind', 'kind') ?? '',
        isNamespaced: textAt(resource, 'scope') === 'Namespaced',
      })),
  )

const ofVersion = (list: JsonObject, group: string, version: string): ReadonlyArray<Resource> =>
  listAt(list, 'resources')
    .filter((resource) => canListAndDelete(resource) && textAt(resource, 'name')?.includes('/') === false)
    .map((resource) => ({
      group,
      version,
      plural: textAt(resource, 'name') ?? '',
      kind: textAt(resource, 'kind') ?? '',
      isNamespaced: at(resource, 'namespaced') === true,
    }))

/** The versions of each group, the preferred one first, for servers without aggregated discovery. */
const classicVersions = (json: JsonObject): ReadonlyArray<{ readonly group: string; readonly version: string }> => {
  if (json['kind'] === 'APIVersions') {
    return listAt(json, 'versions').flatMap((version) => (typeof version === 'string' ? [{ group: '', version }] : []))
  }
  return listAt(json, 'groups').flatMap((group) => {
    const first = textAt(group, 'preferredVersion', 'version') ?? ''
    const others = listAt(group, 'versions').map((version) => textAt(version, 'version') ?? '')
    return [first, ...others.filter((version) => version !== first)].map((version) => ({
      group: textAt(group, 'name') ?? '',
      version,
    }))
  })
}

type ReadPath = (path: string, accept?: string) => TE.TaskEither<Failure, JsonObject>

/** A group whose API server is unavailable has no kinds, as for kubectl. */
const classic = (read: ReadPath, root: string, json: JsonObject): T.Task<ReadonlyArray<Resource>> =>
  pipe(
    classicVersions(json),
    T.traverseArray(({ group, version }) =>
      pipe(
        read(group === '' ? `${root}/${version}` : `${root}/${group}/${version}`),
        TE.match(
          () => [],
          (list) => ofVersion(list, group, version),
        ),
      ),
    ),
    T.map((lists) => lists.flat()),
  )

const under = (read: ReadPath, root: string): TE.TaskEither<Failure, ReadonlyArray<Resource>> =>
  pipe(
    read(root, aggregated),
    TE.flatMap((json) =>
      json['kind'] === 'APIGroupDiscoveryList'
        ? TE.right(listAt(json, 'items').flatMap(ofGroup))
        : TE.fromTask(classic(read, root, json)),
    ),
  )

const asked: ApiRequest = { verb: 'get', what: 'the list of resources' }

export const discovering =
  (ask: Asker): Cluster['resources'] =>
  (signal) => {
    const read: ReadPath = (path, accept) =>
      pipe(
        ask({ asked, method: 'GET', path, ...defined({ accept }), signal, isRepeatable: true }),
        TE.map(({ json }) => json),
      )
    return pipe(
      [under(read, '/api'), under(read, '/apis')],
      TE.sequenceArray,
      TE.map((lists) => preferred(lists.flat())),
    )
  }

export const askingVersion =
  (ask: Asker): Cluster['version'] =>
  (signal) => {
    const about: ApiRequest = { verb: 'get', what: 'the version of the API server' }
    return pipe(
      ask({ asked: about, method: 'GET', path: '/version', signal, isRepeatable: true }),
      TE.map(({ json }) => textAt(json, 'gitVersion') ?? ''),
    )
  }
