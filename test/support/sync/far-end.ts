/** The end of a synchronisation in a container, as a program of the stress test: ROOT SOCKET. */
import { createServer } from 'node:net'
import { diskTree } from '../../../src/adapters/sync/disk-tree.ts'
import { serveTree } from '../../../src/adapters/sync/serve-tree.ts'
import type { TreeSessions } from '../../../src/adapters/sync/tree-sessions.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { dieAt, isIgnored, losing, onLine } from './faults.ts'

const [, , root = '', socket = ''] = process.argv

const sessions: TreeSessions = new Map()
createServer((channel) => {
  void serveTree(systemClock, channel, () => losing(diskTree({ clock: systemClock, root, isIgnored }), 0.1), sessions)
}).listen(socket, () => process.stdout.write('ready\n'))
onLine(([word, count]) => {
  if (word === 'die') dieAt(Number(count))
})
