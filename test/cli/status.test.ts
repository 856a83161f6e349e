/** The exit status of a command that ends with the status of another program. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contextOf } from '../../src/cli/main.ts'
import { show } from '../../src/cli/show.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { worldOf } from '../support/cli/cli.ts'

const shown = async (status: number, findings: Parameters<typeof show>[1]['findings'] = []): Promise<number> => {
  const context = contextOf(worldOf().world)
  return show(context, { findings, status }, { isJson: false, isQuiet: false, level: 'info' })
}

test('the status of the program is that of the command', async () => {
  for (const status of [0, 1, 3, 130, 255]) assert.is(await shown(status), status)
})

test('a status that systems would cut to success, or to another one, is the largest that they know', async () => {
  for (const status of [256, 257, 512, 65_536, 4_294_967_295]) assert.is(await shown(status), 255)
})

test('an error of devtool comes before the status of the program', async () => {
  assert.is(await shown(7, [error('DT5055', 'the connection was lost')]), 125)
})

test.run()
