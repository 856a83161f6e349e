/** Routes by which a namespace is put to sleep and woken, for the web pages. */
import { keys } from '../../print/document.ts'
import { ListedNamespace, namespace } from './answers.ts'
import { route } from './route.ts'

const params = keys(namespace)

export const sleepRoutes = {
  sleepNamespace: route({
    method: 'POST',
    path: '/api/v1/namespaces/{namespace}/sleep',
    may: 'member',
    about: 'Stop what runs in a namespace, until it is woken',
    params,
    status: 202,
    answer: ListedNamespace,
  }),
  wakeNamespace: route({
    method: 'POST',
    path: '/api/v1/namespaces/{namespace}/wake',
    may: 'member',
    about: 'Start again what was stopped when the namespace was put to sleep',
    params,
    status: 202,
    answer: ListedNamespace,
  }),
} as const
