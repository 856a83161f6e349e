/**
 * Pipelines and previews of repositories whose images have to be built: the runs build on the platform, and only while
 * they are under way. The platform is installed, with a builder that runs privileged.
 */
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
import { application, deployed, said } from '../support/e2e/run-builds.ts'
import { until } from '../support/process/until.ts'

type User = Readonly<Record<string, string>>
type Lab = PlatformLab & { readonly git: GitServer; readonly ann: User }

const host = process.env['DEVTOOL_E2E_HOST'] ?? ''
const [team, other, preview] = [fresh('team'), fresh('other'), fresh('preview')]

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
  // Both policies refuse it, and the API server names either.
  const named = JSON.stringify(await failed(post(controller, 'devtool-more', right)))
  assert.match(named, /Policy 'devtool-confine(?:-access)?'/)
  await isForbidden(post(api, `devtool-runner-${other}`, right))
  const remove = removal(controller, 'RoleBinding', 'devtool-users', 'devtool-builder')
  await isRefusedBy('confine', 'writes only in', remove)
}

test('runs build the images of a repository on the platform, and reach its builder only while they are under way', () =>
  withPlatform([team, other, preview], (lab) =>
    withGitServer(host, async (git) => {
      const { asUser, install, join, must, run } = lab
      await configureBuilder(lab)
      await install(...builderFlags)
      const ann = await asUser(await join('ann'), team)
      await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
      await must(['namespace', 'create', team], ann)
      await must(['namespace', 'create', other], ann)
      await must(['variable', 'set', 'DEVTOOL_GIT_CA', '--', git.authority], ann)
      const all = { ...lab, git, ann }
      await pipelineBuilds(all)
      await previewBuilds(all)
      await strangersStayOut(all)
      await platformStays(all)
      for (const namespace of [team, preview])
        await until(`runs of ${namespace} do not reach it`, async () => !(await reaches(lab, namespace)))
    }),
  ))

test.run()
