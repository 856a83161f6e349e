/**
 * A user of a folder, as a program in a container. `write ROOT STORE SEED`: changes it until there is a file `stop` in
 * the store, and then tells there what it has written and ended. `show ROOT`: prints what is in it.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from './random.ts'
import { contentOf, type RealLedger, useTree } from './real-tree.ts'

const [, , mode, root = '', store = '', seed = '1'] = process.argv

const write = async (): Promise<void> => {
  const [ledger, random]: [RealLedger, ReturnType<typeof randomOf>] = [
    { born: new Map(), ended: new Set() },
    randomOf(Number(seed)),
  ]
  const tree = { root, grave: join(store, 'grave') }
  fs.mkdirSync(tree.grave, { recursive: true })
  while (!fs.existsSync(join(store, 'stop'))) {
    useTree(tree, ledger, random)
    await sleep(random.pick([10, 50, 100, 300]))
  }
  fs.writeFileSync(join(store, 'told.tmp'), JSON.stringify({ born: [...ledger.born], ended: [...ledger.ended] }))
  fs.renameSync(join(store, 'told.tmp'), join(store, 'told.json'))
}

if (mode === 'write') void write()
else process.stdout.write(JSON.stringify([...contentOf(root)]))
