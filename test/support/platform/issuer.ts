/** A real OpenID Connect provider in this process: a login as `ann` is ann@example.com. */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { listen } from '../process/ports.ts'

const CLIENT_SECRET = 'a secret of the tests'

export type TestIssuer = {
  readonly issuer: string
  readonly client: string
  readonly clientSecret: string
  readonly close: () => void
}

const accountOf = (id: string) => {
  // The issuer has not verified the address of some people.
  const claims = { sub: id, email: `${id}@example.com`, email_verified: id !== 'unverified', groups: ['staff'] }
  return { accountId: id, claims: async () => claims }
}

/** `redirect`: that of the client. `address`: of this machine, to be reached at. */
export const testIssuer = async (
  redirect: string,
  method = 'client_secret_basic',
  address = '127.0.0.1',
): Promise<TestIssuer> => {
  const server = createServer((request, response) => answer(request, response))
  const issuer = `http://${address}:${await listen(server, address)}`
  const client = 'devtool'
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirect],
        token_endpoint_auth_method: method,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    cookies: { keys: ['of the tests'] },
    features: { devInteractions: { enabled: true } },
    findAccount: async (_, id) => accountOf(id),
    pkce: { required: () => true },
    // The address is given only at the userinfo endpoint.
    conformIdTokenClaims: true,
  })
  const answer = provider.callback()
  return {
    issuer,
    client,
    clientSecret: CLIENT_SECRET,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
