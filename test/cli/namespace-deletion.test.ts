/** Deletions of namespaces that fail, take too long or are interrupted, as their users meet them. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { untilGone } from '../../src/app/namespaces/until-gone.ts'
import { annotationOf } from '../../src/domain/cluster/live.ts'
import { memoryClock } from '../memory/clock.ts'
import { memoryPlatforms } from '../memory/platforms.ts'
import { devtool } from '../support/cli/cli.ts'
import { failDeletion, putPreview, RUN } from '../support/platform/runs.ts'
import { type TestPlatform, testPlatform, tokenOf } from '../support/platform/world.ts'

const URL_OF_IT = 'https://p.test'
const env = { DEVTOOL_CONTEXT: URL_OF_IT, DEVTOOL_TOKEN: tokenOf('owner'), DEVTOOL_NAMESPACE: 'shop' }
const reason = 'the destroy commands of web did not succeed'

const run = (platform: TestPlatform, ...argv: ReadonlyArray<string>) => {
  const send: TestPlatform['send'] = (method, path, more) => platform.send(method, path, more)
  return devtool(argv, { env, memory: { ports: { platforms: memoryPlatforms({ url: URL_OF_IT, send }) } } })
}

/** A platform on which the destroy run of `look` fails. */
const failing = (): TestPlatform => {
  const platform = testPlatform()
  putPreview(platform)
  platform.cluster.onChange(({ object }) => {
    if (annotationOf(object, 'dev.devtool/status') === 'Deleting') setImmediate(() => void failDeletion(platform))
  })
  return platform
}

for (const command of ['namespace delete', 'preview destroy']) {
  test(`${command} ends when the deletion has failed, with the reason and the run`, async () => {
    const { status, stderr } = await run(failing(), ...command.split(' '), 'look')
    assert.is(status, 1, stderr)
    assert.match(stderr, `DT6412: ${command.split(' ')[0]} look is still there: ${reason}`)
    assert.match(stderr, `devtool pipeline logs --run ${RUN} --namespace look`)
  })
}

test('namespace delete --force leaves the destroy commands out', async () => {
  const platform = testPlatform()
  putPreview(platform)
  const deletions: Array<string> = []
  platform.cluster.onChange(({ object }) => {
    const deletion = annotationOf(object, 'dev.devtool/deletion')
    if (deletion === undefined) return
    deletions.push(deletion)
    setImmediate(() => platform.cluster.take('Namespace', 'look'))
  })
  const { status, stderr } = await run(platform, 'namespace', 'delete', 'look', '--force')
  assert.is(status, 0, stderr)
  assert.match(deletions[0] ?? '', '"force":true')
})

for (const [command, key] of [
  ['namespace list', 'namespaces'],
  ['preview list', 'previews'],
] as const) {
  test(`${command} says why a deletion failed`, async () => {
    const platform = testPlatform()
    putPreview(platform)
    await failDeletion(platform)
    const [text, json] = [
      await run(platform, ...command.split(' ')),
      await run(platform, ...command.split(' '), '-o', 'json'),
    ]
    assert.match(text.stderr, `look was not deleted: ${reason}`)
    const listed: ReadonlyArray<{ name: string; failure?: object }> = JSON.parse(json.stdout)[key]
    assert.equal(listed.find(({ name }) => name === 'look')?.failure, { reason, run: RUN })
    assert.not.ok(listed.some(({ failure, name }) => name !== 'look' && failure !== undefined))
  })
}

for (const [end, cause, code] of [
  ['a timeout', 'timeout', 'DT3120'],
  ['an interruption', 'SIGINT', 'DT3007'],
] as const) {
  test(`${end} of a deletion has its own code, and says that it goes on`, async () => {
    const read = () => TE.right({ name: 'shop', status: 'Deleting' as const })
    const what = { what: 'namespace shop', logs: '' }
    const ended = await untilGone({ clock: memoryClock() }, what, read, AbortSignal.abort(cause))()
    assert.ok(ended._tag === 'Left')
    assert.is(ended.left.code, code)
    assert.match(ended.left.message, 'namespace shop is still being deleted')
  })
}

test.run()
