/** Domains of the command line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { devtool } from '../support/cli/cli.ts'

const named = 'name: shop\nservices: {web: {image: nginx, ports: ["8080:80"]}}'

test('--domain localhost is served without TLS, as without a domain, unless a certificate is named', async () => {
  const render = async (...argv: ReadonlyArray<string>) =>
    (await devtool(['deploy', '--dry-run', '-n', 'demo', ...argv], { files: { 'compose.yaml': named } })).stdout
  assert.is(await render('--domain', 'localhost'), await render())
  assert.not.match(await render('--domain', 'localhost'), 'tls:')
  assert.match(await render('--domain', 'localhost', '--tls-secret', 'cert'), 'tls:')
})

test.run()
