/** Private keys, tokens and passwords are found in any text; what only looks like one is not. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { whyByContent } from '../../../src/domain/compose/read/host-secrets.ts'

const found = (text: string): string | undefined => whyByContent(Buffer.from(text))

const keys = [
  '-----BEGIN RSA PRIVATE KEY-----',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----',
  'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n',
  '# public key: age1x\nAGE-SECRET-KEY-1QQQ',
  'users:\n- user:\n    client-key-data: LS0tLS1CRUdJTg==\n',
  '{"kty":"EC","crv":"P-256","x":"a","d":"b"}',
  '{"keys":[{"kty": "oct", "k": "AyM1"}]}',
]

const credentials = [
  'password=/abc/def/x',
  'db_password = hunter2',
  'export API_KEY="x1"',
  'users:\n- user:\n    token: abcdef\n',
  '- token: x',
  '- name: x\n  dbPassword: "hunter2"\n',
  '{"auths":{"r.example":{"auth":"dXNlcjpwYXNz"}}}',
  '{"auths":{"r.example":{"identitytoken":"x"}}}',
  '{"db":{"password":"x"}}',
  '{"password":\n  "x"}',
  '{"\\u0070assword": "x"}',
  '"\\x70assword": "x"',
  'password:\n  value: hunter2\n',
  'db:\n  password:\n    # of the owner\n    owner: hunter2\n',
  '{\n  "password": {\n    "value": "hunter2"\n  }\n}',
  '{"tokens": [\n  "x"]}',
  '{"password": {"value": "x"}}',
  '{"password": {"db": {"value": "x"}}}',
  'password: {type: plain, value: hunter2}\n',
  'password:\n  type: plain\n  expires: 30d\n  value: hunter2\n',
  'password:\n  admin:\n    value: hunter2\n',
  'token:\n  realm: https://a.example/token\n  secret: x\n',
  'token:\n  value: https://a.example\n',
  'slack_token:\n  url: https://a.example/services/abcdefghij0123456789x\n',
  'tokens:\n  - x\n',
  'password: |\n  x\n',
  '[Interface]\nPrivateKey = x\n',
  'requirepass x',
  'masterauth x',
  'rootpw hunter2',
  'set password hunter2',
  'machine h login me password hunter2',
  'mysqld --password hunter2',
  '<password>x</password>',
  '<a:password>x</a:password>',
  '<entry key="db.password">x</entry>',
  '<add key="Password" value="x"/>',
  '- name: DB_PASSWORD\n  value: x\n',
  '{"name": "DB_PASSWORD", "value": "x"}',
  'url: postgres://u:pw@db/x',
  'dsn=amqp://:pw@mq',
  'Server=db;User=sa;Pwd=x;',
  "CREATE USER app WITH PASSWORD 'x';",
  "CREATE USER app IDENTIFIED BY 'x';",
  "$config['db_password'] = 'x';",
  'password: $2y$10$abcdefgh',
  'password: ${X:-hunter2}',
  '${DB_PASSWORD:-hunter2}',
  'secret_key_base: x',
  'AccountKey=x==',
  'key ghp_abcdefghijklmnop1234',
  'proxy_set_header Authorization "Bearer abcdefgh12345678";',
  `${'x'.repeat(5000)} password=hunter2`,
]

for (const text of [...keys, ...credentials]) {
  test(`something secret is found in ${JSON.stringify(text.slice(-60))}, in UTF-8 and UTF-16`, () => {
    assert.match(found(text) ?? '', keys.includes(text) ? 'a private key' : 'a credential in line')
    for (const order of ['le', 'be']) {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
      assert.ok(whyByContent(order === 'le' ? bytes : bytes.swap16()) !== undefined, order)
    }
  })
}

const harmless = [
  'worker_processes 1;\nserver { listen 80; location / { proxy_pass http://app:8080/; } }\n',
  'password=\nport=3\n',
  'password: ${DB_PASSWORD}\n',
  'password: "${DB_PASSWORD:?must be set}"\n',
  'token: {{ .Values.token }}\n',
  'token: {% token %}\n',
  'password: $PASSWORD\nuser: x\n',
  '# password = example\n; token = x\n// secret: x\n',
  'password_file = /run/secrets/db\n',
  'password_encryption = scram-sha-256\n',
  'use_password: true\nrequire_token: no\n',
  'url: https://example.org:443/a@1.0\n',
  'url: postgres://u:${PW}@db\n',
  'auth: basic\n',
  '<a accesskey="n" href="next.html">next</a>',
  'tokens: []\nsecrets: {}\n',
  'secrets:\n  db:\n    file: ./db\n',
  'password:\n  valueFrom:\n    secretKeyRef: {name: db, key: pw}\n',
  'password:\n  type: string\n  minLength: 8\n',
  'token:\nother: x\n',
  'auth:\n  token:\n    autoredirect: true\n    realm: https://auth.example.com/token\n    service: registry.example.com\n    issuer: auth.example.com\n    rootcertbundle: /certs/bundle.crt\n',
  '{"auth": {"token": {"realm": "https://auth.example.com/token", "service": "registry", "issuer": "auth"}}}',
  'token:\n  "realm": "https://auth.example.com/token"\n',
  'token: {expiration: 3600s, host: auth}\n',
  'token:\n  expiration: 3600s\n',
  'token:\n  validity: 1h30m\n',
  'token:\n  renew: "15 minutes"\n',
  'token:\n  discovery: https://auth.example.com/.well-known/openid-configuration\n',
  'token:\n  from_here: https://auth.example.com:8443/api/v1\n',
  'jwt:\n  accessToken:\n    expiresIn: 15minutes\n',
  'jwt_key:\n  algorithm: HS256xxx\n',
  'auth:\n  htpasswd:\n    realm: basic-realm\n    path: /auth/htpasswd\n',
  '{"kty":"EC","crv":"P-256","x":"a","y":"b"}',
  "const token = process.env.TOKEN\nconst secret = getenv('SECRET')\n",
  '<label for="password">Password</label><input type="password" name="password">',
  'input[type=password]:focus { color: red }',
  'set $token $arg_token;',
  'ssl_certificate_key /etc/nginx/tls.key;',
  'Please choose a password that is long enough, and keep the token.\n',
]

for (const text of harmless) {
  test(`nothing secret is found in ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.is(found(text), undefined)
  })
}

const types: ReadonlyArray<readonly [title: string, hex: string, why: string]> = [
  ['a zip or jar', '504b0304140000', 'an archive'],
  ['a gzipped tar', '1f8b0800', 'an archive'],
  ['an xz', 'fd377a585a00', 'an archive'],
  ['a tar', `${'61'.repeat(257)}7573746172`, 'an archive'],
  ['a Java key store', 'feedfeed00000002', 'a key store'],
  ['PKCS#12', '308209d6020103308209', 'a key store'],
  ['a private key in DER (PKCS#8)', '308204be020100300d0609', 'a private key'],
  ['a private key in DER (RSA)', '308204a40201000282', 'a private key'],
  ['a private key in DER (EC)', '307702010104', 'a private key'],
]

for (const [title, hex, why] of types) {
  test(`${title} is left out, whatever its name`, () => {
    assert.is(whyByContent(Buffer.from(hex, 'hex')), why)
  })
}

for (const [title, hex] of [
  ['a certificate in DER', '308203c9308202b1a0030201'],
  ['a picture', '89504e470d0a1a0a'],
] as const) {
  test(`${title} is kept`, () => {
    assert.is(whyByContent(Buffer.from(hex, 'hex')), undefined)
  })
}

test('a finding has the line it was found at', () => {
  assert.is(found('a=1\n# b\n\npassword=x\n'), 'a credential in line 4')
})

test.run()
