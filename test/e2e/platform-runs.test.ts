/** Runs on a real cluster: queued by a member, begun by the controller, carried out in a pod with the platform's image. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listAt, textAt } from '../../src/domain/cluster/json.ts'
import { done, manager } from '../contract/cluster-world.ts'
import {
  cancelled,
  controlled,
  host,
  linesOf,
  manifest,
  podsOf,
  queued,
  reached,
  runOf,
  textOf,
  underWay,
  within,
} from '../support/e2e/platform-runs.ts'
import { keyOf } from '../support/e2e/platform-world.ts'
import { until } from '../support/process/until.ts'

/** The controllers get the rights of an installation, and nothing else. */
test('a run is queued, starts, clones, deploys, and stores its log', () =>
  within((world) =>
    controlled(world, ['one', 'two'], async () => {
      const { git } = world
      git.protect('/shop.git', 'secret-token')
      const token = Buffer.from('secret-token').toString('base64')
      const variable = `DEVTOOL_GIT_TOKEN_${host.toUpperCase().replace('.', '_')}`
      const variables = keyOf('Secret', 'devtool-variables', world.namespace)
      await done(world.member.merge(variables, { data: { [variable]: token } }, { manager }))
      const repository = git.add('shop', {
        ...manifest(
          'test "$COLOR $SIZE $EXTRA" = "purple large given" && ! env | grep -q -e secret-token -e not-for-runs && echo right',
        ),
      })
      const values = { given: new Map([['EXTRA', 'given']]), shared: new Map([['SIZE', 'large']]) }
      const id = await queued(world, { repository, branch: 'main', variables: values })
      const run = await reached(world, id, 'succeeded')
      assert.match(run.commit ?? '', /^[0-9a-f]{40}$/)
      assert.is(run.exitStatus, 0)
      const lines = await linesOf(world, id)
      assert.equal(
        lines.map(({ n }) => n),
        lines.map((_, index) => index + 1),
      )
      const text = await textOf(world, id)
      // Credentials of git are not among its variables.
      assert.ok(text.includes('hello: right'), text)
      const [pod] = await podsOf(world, id)
      const hasToken = (containers: string): ReadonlyArray<boolean> =>
        listAt(pod, 'spec', containers).map((container) =>
          listAt(container, 'volumeMounts').some((mount) =>
            textAt(mount, 'mountPath')?.startsWith('/var/run/secrets/kubernetes.io'),
          ),
        )
      assert.equal([hasToken('initContainers'), hasToken('containers')], [[false], [true]])
    }),
  ))

test('a run that fails, cannot clone, times out, is cancelled or is replaced reports the reason', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { git } = world
      const slow = git.add('slow', manifest('sleep 300'))
      const repository = git.add('broken', manifest('exit 7'))
      const failing = await queued(world, { repository, environment: 'failing' })
      const late = await queued(world, { repository: slow, environment: 'late', timeoutSeconds: 40 })
      const missing = await queued(world, { repository: `${git.url}/nothing.git`, environment: 'missing' })
      const imageless = await queued(world, { repository, environment: 'imageless' }, 'NOT/an-image')
      assert.is((await reached(world, failing, 'failed')).failure?.code, 'DT3501')
      assert.is((await reached(world, missing, 'failed')).failure?.code, 'DT6403')
      const run = await reached(world, late, 'timed-out')
      assert.is(run.exitStatus, 6)
      const { failure } = await reached(world, imageless, 'failed')
      assert.match(failure?.message ?? '', /its pod cannot start: "NOT\/an-image" is not a valid image name$/)

      const first = await queued(world, { repository: slow })
      await underWay(world, first)
      const second = await queued(world, { repository: slow })
      const third = await queued(world, { repository: slow })
      assert.is((await reached(world, second, 'cancelled')).replacedBy, third)
      assert.is((await runOf(world, third)).status, 'queued')
      await cancelled(world, third)
      assert.is((await reached(world, third, 'cancelled')).cancelledBy?.email, 'ann@example.com')
      await cancelled(world, first)
      await reached(world, first, 'cancelled')
      assert.match(await textOf(world, first), 'hello running')
      await until('its pod is gone', async () => (await podsOf(world, first)).length === 0)
    }),
  ))

test('a hostile repository cannot read or change anything outside itself', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { git } = world
      const token = '/var/run/secrets/kubernetes.io/serviceaccount/token'
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`
      git.add('other', { plain: 'of the submodule' })
      const commit = '1'.repeat(40)
      const module = (path: string, url: string) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`
      const checks = {
        // As it was committed: nothing was copied from where the container that clones could read it.
        link: `test "$(readlink link)" = ${token}`,
        hook: 'test ! -e hooks/out',
        submodules: 'test -d sub && test -d other && test -z "$(ls -A sub)$(ls -A other)" && test ! -e /work/owned',
        filter: 'test "$(cat pointer)" = "$(cat expected)" && test ! -e /work/filtered',
        big: 'test "$(wc -c <big)" -eq 30000000',
      }
      const hostile = git.add('hostile', {
        ...manifest('sh check.sh'),
        'check.sh': Object.entries(checks)
          .map(([name, check]) => `if ${check}; then echo ${name} harmless; else echo ${name} harmful; fi\n`)
          .join(''),
        link: `-> ${token}`,
        'hooks/post-checkout': '#!/bin/sh\necho hooked > /work/source/hooks/out\n',
        '.gitmodules': module('sub', 'ext::sh -c "touch% /work/owned"') + module('other', `${git.url}/other.git`),
        sub: `@> ${commit}`,
        other: `@> ${commit}`,
        '.gitattributes': '* filter=evil\npointer filter=lfs\n',
        '.gitconfig': '[filter "evil"]\n\tsmudge = touch /work/filtered\n',
        '.lfsconfig': `[lfs]\n\turl = ${git.url}/lfs\n`,
        pointer,
        expected: pointer,
        big: 'x'.repeat(30_000_000),
      })
      const run = await reached(
        world,
        await queued(world, { repository: hostile, environment: 'hostile' }),
        'succeeded',
      )
      const text = await textOf(world, run.id)
      const found = [...text.matchAll(/hello: (\w+ harm\w+)/g)].map(([, one]) => one)
      assert.equal(
        found,
        Object.keys(checks).map((name) => `${name} harmless`),
        text,
      )
      assert.not(
        git.requests.some((request) => /^\/(other\.git|lfs)/.test(request)),
        'only the repository was fetched',
      )
      git.redirect('/moved.git', '/hostile.git')
      const before = git.requests.length
      const addresses = [`${git.url}/moved.git`, 'file:///work', 'ext::sh -c id', `${git.url}/hostile.git/../x`]
      for (const [index, repository] of addresses.entries()) {
        const id = await queued(world, { repository, environment: `odd-${index}` })
        const odd = await reached(world, id, 'failed')
        assert.is(odd.failure?.code, 'DT6403', `${repository}: ${JSON.stringify(odd)}`)
      }
      const since = git.requests.slice(before)
      assert.ok(since.some((request) => request.includes('/moved.git/info')))
      assert.not(since.some((request) => request.includes('/hostile.git/info')))
    }),
  ))

test.run()
