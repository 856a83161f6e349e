/** What the API server has: its version, and every kind that can be listed and deleted. */
import * as E from 'fp-ts/lib/Either.js'
import type { Asked, Failure } from '../../domain/cluster/failure.ts'
import { at, type Json, type JsonObject, listAt, textAt } from '../../domain/cluster/json.ts'
import type { Resource } from '../../domain/cluster/resources.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Asker } from './api/request.ts'

/** Newest first; a server older than all of these answers with what it has. */
const aggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')

/** Of a kind that several versions of a group have, the first is preferred. */
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

/** The versions of every group, the preferred one first, of a server that does not tell everything at once. */
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

type Read = (path: string, accept?: string) => Promise<E.Either<Failure, JsonObject>>

const under = async (read: Read, root: string): Promise<E.Either<Failure, ReadonlyArray<Resource>>> => {
  const answer = await read(root, aggregated)
  if (E.isLeft(answer)) return answer
  if (answer.right['kind'] === 'APIGroupDiscoveryList') return E.right(listAt(answer.right, 'items').flatMap(ofGroup))
  const lists = await Promise.all(
    classicVersions(answer.right).map(async ({ group, version }) => {
      const list = await read(group === '' ? `${root}/${version}` : `${root}/${group}/${version}`)
      // A group whose own server is away is told as missing by the others, too.
      return E.isLeft(list) ? [] : ofVersion(list.right, group, version)
    }),
  )
  return E.right(lists.flat())
}

const asked: Asked = { verb: 'get', what: 'the list of resources' }

export const discovering =
  (ask: Asker): Cluster['resources'] =>
  (signal) =>
  async () => {
    const read: Read = async (path, accept) => {
      const about = accept === undefined ? {} : { accept }
      const answer = await ask({ asked, method: 'GET', path, ...about, signal, isRepeatable: true })()
      return E.isLeft(answer) ? answer : E.right(answer.right.json)
    }
    const [core, groups] = await Promise.all([under(read, '/api'), under(read, '/apis')])
    if (E.isLeft(core)) return core
    return E.isLeft(groups) ? groups : E.right(preferred([...core.right, ...groups.right]))
  }

export const askingVersion =
  (ask: Asker): Cluster['version'] =>
  (signal) =>
  async () => {
    const about: Asked = { verb: 'get', what: 'the version of the API server' }
    const answer = await ask({ asked: about, method: 'GET', path: '/version', signal, isRepeatable: true })()
    return E.isLeft(answer) ? answer : E.right(textAt(answer.right.json, 'gitVersion') ?? '')
  }
