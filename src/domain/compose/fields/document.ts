/** The top level of a Compose file. */
import { type Fields, ignored, maps, object, warns } from '../field.ts'
import { anything, byForm, entriesOf, integer, listOf, orNothing, pairs, text, withExtensions } from '../shape.ts'
import { service } from './service.ts'
import { configShape, namedVolumeShape, networkShape, secretShape } from './volumes.ts'

const rule = {
  path: maps(text, 'rules[].http.paths[].path', 'path of the request'),
  service: maps(text, 'rules[].http.paths[].backend', 'service that answers'),
  port: maps(integer, 'rules[].http.paths[].backend', 'port of that service'),
} satisfies Fields

const rules = listOf(object(rule))

/**
 * The map notation has names the user chooses, the object notation has `labels` and `rules`: both are read as members,
 * and `endpoints.ts` tells them apart.
 */
const endpointMember = byForm({ list: listOf(anything), mapping: pairs() })

export const endpointRules = rules
export const endpointLabels = pairs()

export const documentFields = {
  version: ignored(anything, 'Compose ignores it', 'obsolete'),
  name: maps(text, 'the environment name', 'name of the environment'),
  services: maps(entriesOf(service), 'workloads, Services, Ingress', 'the services of the application'),
  volumes: maps(entriesOf(orNothing(namedVolumeShape)), 'PersistentVolumeClaim', 'named volumes'),
  networks: maps(
    entriesOf(orNothing(networkShape)),
    'nothing',
    'networks',
    'all services of a namespace reach each other',
  ),
  configs: maps(entriesOf(orNothing(configShape)), 'ConfigMap', 'configs'),
  secrets: maps(entriesOf(orNothing(secretShape)), 'Secret', 'secrets'),
  models: warns(anything, 'there is no model runner in the cluster', 'AI models'),
  include: maps(anything, 'the document', 'other Compose files'),
  endpoints: maps(
    byForm({ list: rules, mapping: withExtensions(entriesOf(orNothing(endpointMember))) }),
    'Ingress',
    'public routes',
  ),
} satisfies Fields

export const document = object(documentFields)
