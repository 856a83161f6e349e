/** What files of well-known projects have in common, in words of our own. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { objectsOf, translateFiles } from '../../support/compose/project.ts'

/** The findings of a file, without notes: each as its code and message. */
const findingsOf = (text: string): ReadonlyArray<string> =>
  translateFiles({ 'compose.yaml': text }).findings.flatMap(({ code, message, severity }) =>
    severity === 'note' ? [] : [`${code} ${message}`],
  )

test('variables without a value are one warning, which lists them', () => {
  const text = 'services: {web: {image: nginx, environment: {A: "${ONE}", B: "${TWO}", C: "${ONE}"}}}\n'
  assert.equal(findingsOf(text), ['DT1011 the variables ONE and TWO are not set, so empty strings are used'])
})

test('each changed name is reported once: of a service and its host; of its container, a note', () => {
  const text = 'services:\n  my.db: {image: redis, hostname: my.db, container_name: my_cache}\n'
  assert.equal(findingsOf(text), ['DT1103 services.my.db: "my.db" is not a DNS label, so my-db is used'])
})

test('a warning says that other services cannot use an alias with dots', () => {
  const text = 'services: {chat: {image: nginx, container_name: chat.example.com}}\n'
  assert.equal(findingsOf(text), [
    'DT1110 services.chat.container_name: other services do not find chat by the name chat.example.com, since the name of a Service has no dots',
  ])
})

test('there is no warning about networks that all services share', () => {
  const shared =
    'services: {a: {image: nginx, networks: [x, y]}, b: {image: nginx, networks: [y]}}\nnetworks: {x: , y: }\n'
  assert.equal(findingsOf(shared), [])
})

test('services in the network of the host are not isolated from others', () => {
  const text = 'services: {a: {image: nginx, network_mode: "service:b"}, b: {image: nginx}}\n'
  assert.equal(findingsOf(text), [])
})

test('the path of a key is not a credential', () => {
  const text = (value: string) => `services: {web: {image: nginx, environment: {TLS_PRIVATE_KEY: ${value}}}}\n`
  for (const path of ['/run/tls/server.key', './certs/server.key', '/etc/tls']) assert.equal(findingsOf(text(path)), [])
  for (const key of ['/x', 'abc/def+gh', 'secret']) assert.is(findingsOf(text(key)).length, 1, key)
})

test('a port declared as HTTP is not reported', () => {
  const port = (more: string) => `services: {web: {image: nginx, ports: [{target: 8443, published: 8443${more}}]}}\n`
  assert.is(findingsOf(port('')).length, 1)
  assert.equal(findingsOf(port(', app_protocol: http')), [])
})

test('there is no warning about a Job without dependencies and dependents', () => {
  assert.equal(findingsOf('services: {migrate: {image: nginx, restart: on-failure}}\n'), [])
})

test('for services at the top level, the help says where they belong', () => {
  assert.equal(findingsOf('web: {image: nginx, ports: ["80:80"]}\ndb: {image: postgres}\n'), [
    'DT1004 unknown key "web": it looks like a service',
  ])
})

test('the Docker socket is among the host volumes', () => {
  const text = 'services: {web: {image: nginx, volumes: ["./a:/a", "/var/run/docker.sock:/var/run/docker.sock"]}}\n'
  assert.equal(findingsOf(text), ['DT1101 the host volumes ./a and the Docker socket are not mounted'])
})

test('one host volume of several services is reported once', () => {
  const text = 'services:\n  a: {image: nginx, volumes: [./x:/x]}\n  b: {image: nginx, volumes: [./x:/x]}\n'
  assert.equal(findingsOf(text), ['DT1101 the host volume ./x is not mounted'])
})

test('a folder called data is taken for data, wherever it is mounted', () => {
  const text = 'services: {search: {image: elastic, volumes: ["./es:/usr/share/elasticsearch/data"]}}\n'
  assert.equal(findingsOf(text), [
    'DT1101 services.search.volumes[0]: the host volume ./es is not mounted: what is written to /usr/share/elasticsearch/data is lost with the pod',
  ])
})

const lostIn = (mounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const listed = JSON.stringify(mounts.map((target, i) => `./${i}:${target}`))
  const [found = ''] = findingsOf(`services: {web: {image: nginx, volumes: ${listed}}}\n`)
  const [, lost = ''] = found.match(/what is written to (.*) is lost with the pod/) ?? []
  return lost.split(/, | and /).filter((target) => target !== '')
}

const dataFolders = [
  ...['/data', '/data/db', '/db', '/backup', '/backups/daily', '/storage', '/upload', '/uploads/a', '/config'],
  ...['/var/lib/mysql', '/var/opt/gitlab', '/var/www/html', '/var/mail/x', '/var/spool/x', '/var/backups/x'],
  ...['/app/data', '/app/storage', '/srv/uploads', '/srv/upload'],
]

test('for a data folder of the host, the warning says that data written there is lost with the pod', () => {
  assert.equal(lostIn(dataFolders), dataFolders)
})

test('files and folders of code, configuration and logs are not taken for data, nor what is mounted read-only', () => {
  const others = ['/app', '/etc/nginx', '/app/config', '/app/uploads.yml', '/database', '/configs', '/var/log/app']
  assert.equal(lostIn([...others, ...dataFolders.map((target) => `${target}:ro`)]), [])
})

test('signing and encryption keys are credentials, and reported in the order of the file', () => {
  const text =
    'x-env: &env {SECRET_KEY: abc, FIELD_ENCRYPTION_KEY: abc}\nservices:\n  db: {image: db, environment: {SECRET_KEY_BASE: abc, PRIMARY_KEY: id}}\n  web: {image: web, environment: *env}\n'
  assert.equal(findingsOf(text), [
    'DT1104 SECRET_KEY, FIELD_ENCRYPTION_KEY and SECRET_KEY_BASE look like credentials, and their values appear in the manifests in plain text',
  ])
})

test('a service can be reached by its host name, unless another one has that name too', () => {
  const text =
    'services:\n  mq: {image: rabbitmq, hostname: shop-mq, ports: ["5672"]}\n  a: {image: a, hostname: same}\n  b: {image: b, hostname: same}\n  c: {image: c, hostname: mq}\n  d: {image: d, hostname: localhost}\n  e: {image: e, hostname: e.example.com}\n'
  const names = objectsOf(translateFiles({ 'compose.yaml': text })).flatMap(({ kind, metadata }) =>
    kind === 'Service' ? [metadata.name] : [],
  )
  assert.equal(names.toSorted(), ['a', 'b', 'c', 'd', 'e', 'mq', 'shop-mq'])
})

test('the help for a changed host name names only existing ones', () => {
  const helpOf = (services: string): ReadonlyArray<string | undefined> =>
    translateFiles({ 'compose.yaml': `services:\n${services}` }).findings.flatMap(({ code, help }) =>
      code === 'DT1103' ? [help] : [],
    )
  const mail = '  mail: {image: mail, hostname: mail.example.com}\n'
  assert.equal(helpOf(mail), ['where other services use it, write mail for mail.example.com'])
  assert.equal(helpOf(`${mail}  db: {image: db, hostname: My_Db}\n`), [
    'write the new names wherever these are used, but mail for mail.example.com',
  ])
  assert.equal(helpOf('  db: {image: db, hostname: My_Db}\n'), ['write my-db wherever it is used'])
  assert.equal(helpOf('  a: {image: a, hostname: My_Db}\n  b: {image: b, hostname: My_Db}\n'), [
    'where other services use it, write a for My_Db',
  ])
})

test('a placement on managers is reported, since few clusters run pods there', () => {
  const text = (role: string) =>
    `services: {web: {image: nginx, deploy: {placement: {constraints: ["node.role == ${role}"]}}}}\n`
  assert.is(findingsOf(text('manager')).length, 1)
  assert.equal(findingsOf(text('worker')), [])
})

test('for a mounted time zone file, the help suggests TZ', () => {
  const text =
    'services: {web: {image: nginx, volumes: ["/etc/localtime:/etc/localtime:ro", "/etc/timezone:/etc/timezone"]}}\n'
  const [found] = translateFiles({ 'compose.yaml': text }).findings
  assert.is(found?.help, 'set the variable TZ, which most images know')
})

test('the port of an alert manager is HTTP', () => {
  assert.equal(findingsOf('services: {alertmanager: {image: prom/alertmanager, ports: ["9093:9093"]}}\n'), [])
})

test('the help for an endpoint of a port that is not there names ports that an endpoint can have', () => {
  const helpOf = (ports: string): string | undefined =>
    translateFiles({
      'compose.yaml': `services: {web: {image: web, expose: [${ports}]}}\nendpoints: [{path: /, service: web, port: 9}]\n`,
    }).findings.find(({ code }) => code === 'DT1033')?.help
  assert.is(helpOf('"5000-5029/udp", 8080'), 'its ports are 8080')
  assert.is(helpOf('"5000-5029/udp"'), 'add 9 to its ports')
  assert.is(helpOf('"5001-5003"'), 'its ports are 5001, 5002, 5003')
  const first = Array.from({ length: 20 }, (_, i) => 5000 + i).join(', ')
  assert.is(helpOf('"5000-5019"'), `its ports are ${first}`)
  assert.is(helpOf('"5000-5029"'), `its ports are ${first}, …`)
})

test.run()
