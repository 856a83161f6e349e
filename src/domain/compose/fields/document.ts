/** The top level of a Compose file. */
import * as C from '../../checked.ts'
import { error } from '../../diagnostic/diagnostic.ts'
import { type Fields, ignored, maps, object, warns } from '../../shape/field.ts'
import { anything, entriesOf, orNothing, text } from '../../shape/shape.ts'
import { type Entry, get, type Node } from '../../yaml/node.ts'
import { endpoints } from './endpoints.ts'
import { service } from './service.ts'
import { configShape, namedVolumeShape, networkShape, secretShape } from './volumes.ts'

export const documentFields = {
  version: ignored(anything, 'Compose ignores it', 'obsolete'),
  name: maps(text, 'the environment name', 'name of the environment'),
  services: maps(entriesOf(service), 'workloads, Services, Ingress', 'the services of the application'),
  volumes: maps(entriesOf(orNothing(namedVolumeShape)), 'PersistentVolumeClaim', 'named volumes'),
  networks: maps(
    entriesOf(orNothing(networkShape)),
    'nothing',
    'networks',
    'all services of a namespace can reach each other',
  ),
  configs: maps(entriesOf(orNothing(configShape)), 'ConfigMap', 'configs'),
  secrets: maps(entriesOf(orNothing(secretShape)), 'Secret', 'secrets'),
  models: warns(anything, 'there is no model runner in the cluster', 'AI models'),
  include: maps(anything, 'the document', 'other Compose files'),
  jobs: warns(anything, 'jobs are run on demand or by a schedule, not deployed', 'jobs'),
  endpoints: maps(endpoints, 'Ingress', 'public routes'),
} satisfies Fields

const known = object(documentFields)

/** A service at the top level, as in files of the first version of Compose, or not indented enough. */
const misplacedService = (node: Node): Entry | undefined =>
  node._tag !== 'Mapping' || get(node, 'services')?._tag === 'Mapping'
    ? undefined
    : node.entries.find(
        ({ key, value }) =>
          !Object.hasOwn(documentFields, key.text) &&
          !key.text.startsWith('x-') &&
          (get(value, 'image') ?? get(value, 'build')) !== undefined,
      )

export const document: typeof known = {
  ...known,
  read: (node, path) => {
    const found = misplacedService(node)
    if (found === undefined) return known.read(node, path)
    const message = `unknown key "${found.key.text}": it looks like a service`
    return C.fail(error('DT1004', message, { at: found.key, help: 'indent all services below a key services:' }))
  },
}
