/** Routes of the variables that deploys get: those of a namespace, and those for all namespaces. */
import * as t from 'io-ts'
import { keys, oneOf } from '../../print/document.ts'
import { namespace } from './answers.ts'
import { route } from './route.ts'
import { VariableName, VariableValue } from './values.ts'

const ofNamespace = '/api/v1/namespaces/{namespace}/variables'
const forAll = '/api/v1/variables'

const listed = {
  name: [VariableName, 'its name'],
  scope: [oneOf('all', 'namespace'), 'whether it is for all namespaces, or of this one'],
} as const
const value = { value: [VariableValue, 'its value'] } as const
const name = { name: [VariableName, 'name of the variable'] } as const
const inPreviews = { inPreviews: [t.boolean, 'whether previews get it, too'] } as const

export const variableRoutes = {
  listVariables: route({
    method: 'GET',
    path: ofNamespace,
    may: 'member',
    about: 'The variables that deploys in a namespace get, without their values',
    params: keys(namespace),
    answer: keys({ variables: [t.readonlyArray(keys(listed)), 'by name'] }),
  }),
  readVariables: route({
    method: 'GET',
    path: `${ofNamespace}/values`,
    may: 'member',
    about: 'The variables that deploys in a namespace get, with their values',
    params: keys(namespace),
    answer: keys({ variables: [t.readonlyArray(keys({ ...listed, ...value })), 'by name'] }),
  }),
  setVariable: route({
    method: 'PUT',
    path: `${ofNamespace}/{name}`,
    may: 'member',
    about: 'Set a variable of a namespace',
    params: keys({ ...namespace, ...name }),
    body: keys(value),
  }),
  unsetVariable: route({
    method: 'DELETE',
    path: `${ofNamespace}/{name}`,
    may: 'member',
    about: 'Delete a variable of a namespace',
    params: keys({ ...namespace, ...name }),
  }),
  listSharedVariables: route({
    method: 'GET',
    path: forAll,
    may: 'admin',
    about: 'The variables for all namespaces, without their values',
    answer: keys({
      variables: [t.readonlyArray(keys({ name: listed.name, ...inPreviews })), 'by name'],
    }),
  }),
  setSharedVariable: route({
    method: 'PUT',
    path: `${forAll}/{name}`,
    may: 'admin',
    about: 'Set a variable for all namespaces',
    params: keys(name),
    body: keys(value, inPreviews),
  }),
  unsetSharedVariable: route({
    method: 'DELETE',
    path: `${forAll}/{name}`,
    may: 'admin',
    about: 'Delete a variable for all namespaces',
    params: keys(name),
  }),
} as const
