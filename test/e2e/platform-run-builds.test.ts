/**
 * Pipelines and previews of repositories whose images have to be built: the runs build on the platform, and only while
 * they are under way. The platform is installed, with a builder that runs privileged.
 */
import { createServer, request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { accountOf, userIdOf } from '../../src/domain/platform/names.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { done, failed, manager, statusOf } from '../contract/cluster-world.ts'
import { type CommandResult, shown } from '../support/e2e/command.ts'
import { type GitServer, withGitServer } from '../support/e2e/git-server.ts'
import {
  builderFlags,
  configureBuilder,
  ISSUER,
  type PlatformLab,
  withPlatform,
} from '../support/e2e/installed-platform.ts'
import { fresh, isForbidden, isRefusedBy, posted, RBAC, removal } from '../support/e2e/platform-world.ts'
import { listen } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

type User = Readonly<Record<string, string>>
type Lab = PlatformLab & { readonly git: GitServer; readonly ann: User; readonly guarded: string }

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''
const [team, other, preview, secret] = [fresh('team'), fresh('other'), fresh('preview'), fresh('secret')]
const login = { user: 'pusher', password: 'only-for-pushes' } as const

const application = (name: string, ...build: ReadonlyArray<string>) => ({
  Dockerfile: `FROM busybox\nCOPY page /www/index.html\nRUN echo ${name} >>/www/index.html && sleep 4\n`,
  // The registry has what earlier tests built.
  page: `this is ${fresh(name)}\n`,
  'compose.yaml': [
    `name: ${name}`,
    'services:',
    '  web:',
    '    build:',
    ...['context: .', ...build].map((line) => `      ${line}`),
    '    command: busybox httpd -f -p 8080 -h /www',
    '    ports: [8080]',
    '    stop_grace_period: 1s',
    '',
  ].join('\n'),
})

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  isNamespaced: false,
}

/** Whether runs of the namespace reach the build service, according to the API server. */
const reaches = async ({ cluster }: Pick<PlatformLab, 'cluster'>, namespace: string): Promise<boolean> => {
  const user = `system:serviceaccount:${namespace}:devtool-runner`
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  const asked = { namespace: 'devtool-builder', verb: 'create', resource: 'pods', subresource: 'portforward' }
  const spec = { user, groups, resourceAttributes: { ...asked, name: 'buildkitd-0' } }
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
  return at(await done(cluster.create({ resource: reviews }, body, { manager })), 'status', 'allowed') === true
}

const said = ({ stderr, stdout }: CommandResult): string => `${stdout}${stderr}`

/** What the Deployment of the service runs, after it was ready. */
const deployed = async ({ cluster, registry }: Lab, namespace: string, name: string): Promise<string> => {
  const { items } = await done(cluster.list({ resource: resources.Deployment, namespace }))
  const image = textAt(items[0], 'spec', 'template', 'spec', 'containers', 0, 'image') ?? ''
  const [, path, digest] = /^[^/]+\/(.*)@(sha256:[0-9a-f]{64})$/.exec(image) ?? []
  assert.match(path ?? '', `${name}-web`)
  const accept = 'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json'
  const there = await fetch(`http://${registry}/v2/${path}/manifests/${digest}`, { headers: { accept } })
  assert.is(there.status, 200, image)
  return image
}

const pipelineBuilds = async (lab: Lab): Promise<void> => {
  const { ann, git, must, start } = lab
  const repository = git.add('shop', application('shop'))
  assert.not.ok(await reaches(lab, team))
  const words = ['pipeline', 'deploy', '--repository', repository, '--name', 'shop', '--wait']
  const running = start(words, ann)
  let ended: CommandResult | undefined
  const waiting = async (): Promise<void> => {
    ended = await running.ended
  }
  void waiting()
  await until('the run reaches the build service', async () => {
    assert.is(ended, undefined, ended === undefined ? '' : shown(ended))
    return reaches(lab, team)
  })
  assert.not.ok(await reaches(lab, other))
  const first = await running.ended
  assert.is(first.status, 0, shown(first))
  assert.match(said(first), /web.*pushed/, shown(first))
  const image = await deployed(lab, team, 'shop')
  await until('runs do not reach it any more', async () => !(await reaches(lab, team)))

  const second = await must(words, ann)
  assert.match(said(second), /web.*unchanged, the registry has it/, shown(second))
  assert.is(await deployed(lab, team, 'shop'), image)
}

const previewBuilds = async (lab: Lab): Promise<void> => {
  const { ann, git, must } = lab
  const repository = git.add('look', application('look'))
  const words = ['preview', 'deploy', preview, '--repository', repository, '--wait']
  const built = await must([...words, '--var', `DEVTOOL_GIT_CA=${git.authority}`], ann)
  assert.match(said(built), /web.*pushed/, shown(built))
  await deployed(lab, preview, 'look')
}

/** Neither what the run was given, nor another way to the builder. */
const strangersStayOut = async ({ cluster, join }: Lab): Promise<void> => {
  await join('ben')
  const ben = cluster.as({ user: accountOf(userIdOf(ISSUER, 'ben')) })
  const { items } = await done(cluster.list({ resource: resources.Secret, namespace: team }))
  const given = items.filter((one) => textAt(one, 'data', 'builder.key.pem') !== undefined)
  assert.ok(given.length > 0)
  for (const { metadata } of given) {
    const key = { resource: resources.Secret, namespace: team, name: metadata.name }
    assert.is(statusOf(await failed(ben.get(key))), '403 Forbidden')
  }
  const pods = await done(cluster.list({ resource: resources.Pod, namespace: team, labels: 'dev.devtool/kind=run' }))
  const mounts = (containers: string): ReadonlyArray<string> =>
    pods.items.flatMap((pod) =>
      listAt(pod, 'spec', containers).flatMap((one) =>
        listAt(one, 'volumeMounts').map((mount) => textAt(mount, 'mountPath') ?? ''),
      ),
    )
  assert.ok(mounts('containers').includes('/run/devtool/builder'))
  assert.not.ok(mounts('initContainers').some((path) => /builder|registry/.test(path)))
}

/** The programs of the platform, taken over: they open the builder for runs, and for nobody else. */
const platformStays = async ({ cluster }: Lab): Promise<void> => {
  const program = (name: string) => cluster.as({ user: `system:serviceaccount:devtool-system:${name}` })
  const [api, controller] = [program('devtool-api'), program('devtool-controller')]
  const binding = (role: string, name: string, namespace: string): JsonObject => ({
    roleRef: { apiGroup: RBAC, kind: 'Role', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  })
  const post = (who: Cluster, name: string, body: JsonObject) =>
    posted(who, 'devtool-builder')('RoleBinding', { name }, body, true)
  const right = binding('devtool-users', 'devtool-runner', other)
  await done(post(controller, `devtool-runner-${other}`, right))
  const more = post(controller, `devtool-runner-${other}`, binding('devtool-api', 'devtool-runner', other))
  await isRefusedBy('confine-access', 'roles of a namespace', more)
  const access = (body: JsonObject) =>
    isRefusedBy('confine-access', 'accounts of the namespace', post(controller, `devtool-runner-${other}`, body))
  await access(binding('devtool-users', 'default', other))
  await access(binding('devtool-users', 'devtool-runner', team))
  const group = { apiGroup: RBAC, kind: 'Group', name: 'system:authenticated' }
  await access({ ...right, subjects: [group] })
  await isRefusedBy('confine', 'writes only in', post(controller, 'devtool-more', right))
  await isForbidden(post(api, `devtool-runner-${other}`, right))
  const remove = removal(controller, 'RoleBinding', 'devtool-users', 'devtool-builder')
  await isRefusedBy('confine', 'writes only in', remove)
}

/** A registry that takes this login only, in front of the cluster's, from which nodes pull everything. */
const withGuarded = async (to: string, use: (address: string) => Promise<void>): Promise<void> => {
  const expected = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
  const server = createServer((incoming, response) => {
    const { headers, method, url = '/' } = incoming
    if (headers.authorization !== expected) {
      incoming.resume()
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' })
      return void response.end()
    }
    const sent = request(`http://${to}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  const port = await listen(server, '0.0.0.0')
  try {
    await use(`${host}:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const privateRegistry = async (lab: Lab): Promise<void> => {
  const { ann, cluster, git, guarded, must, run } = lab
  const asAnn = { ...ann, DEVTOOL_NAMESPACE: secret }
  await must(['namespace', 'create', secret], asAnn)
  await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], asAnn)
  await must(['variable', 'set', 'DEVTOOL_REGISTRY', `${guarded}/team`], asAnn)
  // A login is not sent without TLS: the registry is not asked for the image first.
  const repository = git.add('hidden', application('hidden', 'no_cache: true'))
  const words = ['pipeline', 'deploy', '--repository', repository, '--name', 'hidden', '--wait']
  const refused = await run(words, asAnn)
  assert.is.not(refused.status, 0)
  assert.match(said(refused), /DT4012|authorization|401/, shown(refused))
  const auth = Buffer.from(`${login.user}:${login.password}`).toString('base64')
  const config = Buffer.from(JSON.stringify({ auths: { [guarded]: { auth } } })).toString('base64')
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/dockerconfigjson',
    metadata: { name: 'devtool-registry', namespace: secret },
    data: { '.dockerconfigjson': config },
  }
  await done(cluster.create({ resource: resources.Secret, namespace: secret }, body, { manager }))
  await must(words, asAnn)
  assert.match(await deployed(lab, secret, 'hidden'), `${guarded}/team/`)
}

test('runs build the images of a repository on the platform, and reach its builder only while they are under way', () =>
  withPlatform([team, other, preview, secret], (lab) =>
    withGuarded(lab.registry, (guarded) =>
      withGitServer(host, async (git) => {
        const { asUser, install, join, must, run } = lab
        await configureBuilder(lab, [guarded])
        await install(...builderFlags)
        const ann = await asUser(await join('ann'), team)
        await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
        await must(['namespace', 'create', team], ann)
        await must(['namespace', 'create', other], ann)
        await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], ann)
        const all = { ...lab, git, ann, guarded }
        await pipelineBuilds(all)
        await previewBuilds(all)
        await strangersStayOut(all)
        await platformStays(all)
        await privateRegistry(all)
        for (const namespace of [team, preview, secret])
          await until(`runs of ${namespace} do not reach it`, async () => !(await reaches(lab, namespace)))
      }),
    ),
  ))

test.run()
