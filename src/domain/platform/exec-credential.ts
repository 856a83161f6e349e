/** What credential plugins of kubectl print (Kubernetes, "client-go credential plugins"). */

export type ExecCredential = {
  readonly apiVersion: 'client.authentication.k8s.io/v1'
  readonly kind: 'ExecCredential'
  readonly status: { readonly token: string; readonly expirationTimestamp: string }
}

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
