/** `endpoints`, in the notations that Compose files and manifests share. */
import { type Fields, maps, object } from '../../shape/field.ts'
import {
  anything,
  byForm,
  entriesOf,
  integer,
  listOf,
  orNothing,
  pairs,
  text,
  withExtensions,
} from '../../shape/shape.ts'

const rule = {
  path: maps(text, 'rules[].http.paths[].path', 'path prefix of the request'),
  service: maps(text, 'rules[].http.paths[].backend', 'service that handles the request'),
  port: maps(integer, 'rules[].http.paths[].backend', 'port of that service'),
} satisfies Fields

export const endpointRules = listOf(object(rule))
export const endpointLabels = pairs()

/**
 * In the map notation users choose the names; the object notation has `labels` and `rules`. Both are read as members,
 * and `read/endpoints.ts` tells them apart.
 */
const endpointMember = byForm({ list: listOf(anything), mapping: pairs() })

export const endpoints = byForm({ list: endpointRules, mapping: withExtensions(entriesOf(orNothing(endpointMember))) })
