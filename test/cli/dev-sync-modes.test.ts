/** Folders that are synchronised one way, over a session with the agent as it is built. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DevSyncWorld, inDevSync, textOf, untilText } from '../support/dev/dev-sync.ts'

const test = suite<DevSyncWorld>('folders that are synchronised one way')
inDevSync(test)

const ways = [
  ['push', '->'],
  ['pull', '<-'],
] as const

for (const [mode, arrow] of ways) {
  test(`${mode}: only changes of one end are carried over, and nothing is deleted at it`, async (context) => {
    const { begin, folders, here, said, there } = context
    fs.mkdirSync(there)
    const [source, target] = mode === 'push' ? [here, there] : [there, here]
    for (const name of ['both', 'only-source']) fs.writeFileSync(join(source, name), `${name} of the source`)
    for (const name of ['both', 'only-target']) fs.writeFileSync(join(target, name), `${name} of the target`)
    folders.splice(0, 1, [here, there, mode])
    const first = begin()
    assert.ok(E.isRight(await first.settled()))
    assert.match(said.at(-1) ?? '', `${here} ${arrow} ${there}`)
    assert.is(textOf(join(target, 'both')), 'both of the source')
    assert.is(textOf(join(target, 'only-source')), 'only-source of the source')
    assert.is(textOf(join(source, 'only-target')), undefined)

    fs.writeFileSync(join(target, 'only-source'), 'changed at the target')
    fs.writeFileSync(join(target, 'new'), 'new at the target')
    fs.rmSync(join(target, 'both'))
    fs.writeFileSync(join(source, 'after'), 'after')
    await untilText(join(target, 'after'), 'after')
    await first.stop()
    assert.ok(E.isRight(await begin().settled()))
    assert.is(textOf(join(source, 'only-source')), 'only-source of the source')
    assert.is(textOf(join(source, 'both')), 'both of the source')
    assert.is(textOf(join(source, 'new')), undefined)
    assert.is(textOf(join(target, 'new')), 'new at the target')

    fs.rmSync(join(source, 'after'))
    await untilText(join(target, 'after'), undefined)
    fs.writeFileSync(join(source, 'only-source'), 'again')
    await untilText(join(target, 'only-source'), 'again')
  })
}

test.run()
