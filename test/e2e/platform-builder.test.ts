/**
 * The build service of an installed platform: users build in its pod, through the API server, and nobody else gets at
 * it, nor do the steps of builds. It runs privileged here, of an image with the plain programs of BuildKit.
 */
import { execFileSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { x509Certificates } from '../../src/adapters/x509/certificates.ts'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { userIdOf } from '../../src/domain/platform/names.ts'
import { done } from '../contract/cluster-world.ts'
import { shown } from '../support/e2e/command.ts'
import {
  BUILDKIT,
  builderFlags,
  configureBuilder,
  ISSUER,
  type PlatformLab,
  withPlatform,
} from '../support/e2e/installed-platform.ts'
import { tokenFor } from '../support/e2e/platform.ts'
import { fresh } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

type User = Readonly<Record<string, string>>

const name = fresh('builder')

const authority = { resource: resources.Secret, namespace: 'devtool-system', name: 'devtool-builder-ca' }

const membersBuild = async (lab: PlatformLab, ann: User): Promise<void> => {
  const { must, registry, write } = lab
  write('Dockerfile', 'FROM busybox\nCOPY page /page\nRUN grep -q many /page && sleep 1\n')
  write('page', 'many words\n'.repeat(10_000))
  const build = () =>
    must(['build', '-f', 'Dockerfile', '--tag', `${registry}/${name}/page:1`, '--progress', 'plain'], ann)
  const first = await build()
  assert.match(first.stdout, /\/page@sha256:[0-9a-f]{64}\n$/)
  assert.not.match(first.stderr, /RUN grep.*CACHED|CACHED.*RUN grep/)
  const second = await build()
  assert.is(second.stdout, first.stdout)
  assert.match(second.stderr, /CACHED/)

  const serve = 'busybox httpd -f -p 8080 -h /'
  write('compose.yaml', `name: site\nservices:\n  web:\n    build: .\n    command: ${serve}\n    ports: [8080]\n`)
  const deployed = await must(['deploy', '--build', '--wait', '--progress', 'plain'], ann)
  assert.match(`${deployed.stdout}${deployed.stderr}`, /web.*ready/)
}

const textIn = async ({ cluster }: PlatformLab, place: typeof authority, key: string): Promise<string> =>
  Buffer.from(textAt(await done(cluster.get(place)), 'data', key) ?? '', 'base64').toString()

/** It listens where steps get to: with a certificate this would work, and without one it does not. */
const stepsStayOut = async (lab: PlatformLab, ann: User): Promise<void> => {
  const { run, write } = lab
  const signing = { certificate: await textIn(lab, authority, 'ca.crt'), key: await textIn(lab, authority, 'ca.key') }
  const client = x509Certificates.issueClient(signing, 'test', { nowMs: Date.now(), days: 1 })
  write('ca.crt', signing.certificate)
  write('client.crt', client.certificate)
  write('client.key', client.key)
  const connect = 'buildctl --addr tcp://127.0.0.1:1234 --tlsservername builder.devtool --tlscacert /ca.crt'
  const lines = [
    `FROM ${BUILDKIT}`,
    'COPY ca.crt client.crt client.key /',
    'RUN test ! -e /run/buildkit/buildkitd.sock',
    `RUN ${connect} --tlscert /client.crt --tlskey /client.key debug workers`,
    `RUN ${connect} debug workers`,
  ]
  write('Dockerfile.attack', `${lines.join('\n')}\n`)
  const attacked = await run(['build', '-f', 'Dockerfile.attack', '--progress', 'plain'], ann)
  assert.is(attacked.status, 1, shown(attacked))
  assert.match(attacked.stderr, /Dockerfile\.attack:5/, shown(attacked))
  assert.match(attacked.stderr, /failed to list workers: Unavailable/, shown(attacked))
}

/** As a CI job does. */
const tokensBuild = async ({ asUser, cluster, must, registry, run }: PlatformLab): Promise<void> => {
  const user = userIdOf(ISSUER, 'ann')
  const words = ['build', '-f', 'Dockerfile', '--tag', `${registry}/${name}/page:1`, '--progress', 'plain']
  const ci = await asUser(await tokenFor(cluster, user, { _tag: 'Namespace', namespace: name }), name)
  assert.match((await must(words, ci)).stderr, /CACHED/)
  const reader = await run(words, await asUser(await tokenFor(cluster, user, { _tag: 'Read' }), name))
  assert.is(reader.status, 8, shown(reader))
}

const strangersStayOut = async ({ asUser, join, run }: PlatformLab): Promise<void> => {
  const stranger = await asUser(await join('ben'), name)
  const refused = await run(['build', '-f', 'Dockerfile'], stranger)
  assert.is(refused.status, 8, shown(refused))
  assert.match(refused.stderr, /DT4001: .*build service.*there is no namespace/)
}

/** A build that is lost says so and ends; the next one waits for the new pod. */
const builderDies = async ({ must, start, write }: PlatformLab, ann: User): Promise<void> => {
  write('Dockerfile.slow', 'FROM busybox\nRUN echo it has begun && sleep 60\n')
  const building = start(['build', '-f', 'Dockerfile.slow', '--progress', 'plain'], ann)
  await building.says('it has begun\n')
  const kill = ['delete', 'pod', 'buildkitd-0', '--namespace', 'devtool-builder', '--grace-period=0', '--force']
  execFileSync(process.env['KUBECTL'] ?? 'kubectl', kill, { stdio: 'ignore' })
  const lost = await building.ended
  assert.is(lost.status, 8, shown(lost))
  assert.match(lost.stderr, /DT4003: /)
  const next = await must(['build', '-f', 'Dockerfile', '--progress', 'plain'], ann)
  assert.match(next.stderr, /RUN grep/)
}

test('members of a namespace build on the platform, with a lasting cache, and others are refused', () =>
  withPlatform([name], async (lab) => {
    const { asUser, cluster, install, join, must, run } = lab
    await configureBuilder(lab)
    await install(...builderFlags)
    const ann = await asUser(await join('ann'), name)
    await until('the platform answers', async () => (await run(['namespace', 'list'], ann)).status === 0)
    await must(['namespace', 'create', name], ann)
    await membersBuild(lab, ann)
    await tokensBuild(lab)
    await stepsStayOut(lab, ann)
    await strangersStayOut(lab)
    await builderDies(lab, ann)

    await install('--builder', 'none')
    await until('the build service is gone', async () => {
      return (await done(cluster.get({ resource: resources.Namespace, name: 'devtool-builder' }))) === undefined
    })
    // The pods of before answer until they have ended.
    await until('it says so', async () => {
      const none = await run(['build', '-f', 'Dockerfile'], ann)
      return none.status === 8 && /DT4001: .*this platform has no build service/.test(none.stderr)
    })
  }))

test.run()
