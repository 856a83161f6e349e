/** The memory of the agent in a development container. */
import { loadavg } from 'node:os'
import { systemClock } from '../src/adapters/system/clock.ts'
import type { Link } from '../src/ports/link.ts'
import { run, terminal } from '../test/support/dev/agent.ts'
import { rightOf } from '../test/support/e2e/dev-pod.ts'
import { record } from './bench-dev-rows.ts'

/** That of every process of the agent: its server, and a keeper for each shell. */
const command =
  'for one in /proc/[0-9]*; do [ "$(readlink $one/exe)" = /var/devtool/node ] && grep RssAnon $one/status; done'

const kept = '11111111-2222-3333-4444-555555555555'

export const memory = async (link: Link): Promise<void> => {
  const shell = await rightOf(link.run({ terminal, session: { id: kept } }))
  shell.stdout.resume()
  await systemClock.sleep(5000)
  const measured = async (what: string): Promise<void> => {
    const { stdout } = await run(link, { command })
    const sizes = stdout.split('\n').flatMap((line) => Number(line.split(/\s+/)[1]) || [])
    if (sizes.length !== 2) throw new Error(`${sizes.length} processes instead of a server and a keeper`)
    const sum = sizes.reduce((all, size) => all + size, 0)
    record({ what, unit: 'MiB', values: [sum / 1024], load: loadavg()[0] ?? 0 })
  }
  await measured('anonymous memory of the agent and its keepers, with a shell open')
  const program = await rightOf(link.run({ command: 'head -c 600000000 /dev/zero' }))
  program.stdout.resume()
  await rightOf(program.exit)
  await systemClock.sleep(15_000)
  await measured('the same 15 s after 600 MB out of a program')
  shell.stdin.end('exit\n')
}
