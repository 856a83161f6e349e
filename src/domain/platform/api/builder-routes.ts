/** The route to the build service. */
import * as t from 'io-ts'
import { keys } from '../../print/document.ts'
import { namespace } from './answers.ts'
import { route } from './route.ts'
import { Timestamp } from './values.ts'

export const builderRoutes = {
  createBuilderSession: route({
    method: 'POST',
    path: '/api/v1/namespaces/{namespace}/builder/session',
    may: 'member',
    about:
      'Where images of a namespace are built, and a certificate for it; the pod is reached with a Kubernetes token',
    params: keys(namespace),
    status: 201,
    answer: keys({
      address: [t.string, 'address of the builder, as BUILDKIT_HOST has it'],
      host: [t.string, 'name in its certificate'],
      authority: [t.string, 'certificate that verifies it, as PEM'],
      certificate: [t.string, 'certificate of the client, as PEM'],
      key: [t.string, 'its key, as PEM'],
      expires: [Timestamp, 'when it ends'],
    }),
  }),
} as const
