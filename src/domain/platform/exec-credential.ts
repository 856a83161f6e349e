/** What credential plugins of kubectl print (Kubernetes, "client-go credential plugins"). */
import * as t from 'io-ts'

const text = t.union([t.string, t.null, t.undefined])

export const ExecCredential = t.intersection([
  t.type({
    kind: t.literal('ExecCredential'),
    status: t.partial({
      token: text,
      clientCertificateData: text,
      clientKeyData: text,
      expirationTimestamp: text,
    }),
  }),
  t.partial({ apiVersion: text }),
])
export type ExecCredential = t.TypeOf<typeof ExecCredential>

export const execCredential = ({
  expires,
  token,
}: {
  readonly token: string
  readonly expires: string
}): ExecCredential => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  status: { token, expirationTimestamp: expires },
})
