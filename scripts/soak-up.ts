/**
 * A long session of `up` in a terminal, on the cluster of $KUBECONFIG: `tsx scripts/soak-up.ts [--minutes=60]`. Users at
 * both ends change the synchronised folder at random, and its forwarded port is requested every second; now and then its
 * connections are reset, and its pod is deleted three times. Every minute the users pause: then both ends have to become
 * equal, and no content may be missing that nobody has replaced or deleted. Memory and open files of the command, and the
 * memory of the agent, are printed. Status 1 when something was lost, the ends stay different, or the memory grows.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installed } from '../test/support/cli/installed.ts'
import { cuttableCluster } from '../test/support/e2e/cuttable.ts'
import { openLab, type Space } from '../test/support/e2e/e2e.ts'
import { sleeping } from '../test/support/e2e/sleeping.ts'
import { withTmux } from '../test/support/e2e/tmux.ts'
import { freePort } from '../test/support/process/ports.ts'
import { soakTree, soakUsers } from '../test/support/sync/soak-users.ts'
import { one, showTally } from './tally.ts'

const given = process.argv.find((argument) => argument.startsWith('--minutes='))?.slice('--minutes='.length)
const minutes = Number(given ?? 60)
const image = process.env['DEVTOOL_AGENT_IMAGE'] ?? 'node:22.23-bookworm-slim'
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const field = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)

type Sample = { readonly rssMb: number; readonly files: number; readonly agentMb: number }

const sampled = async (space: Space, pid: number): Promise<Sample> => {
  const anonymous = 'for f in /proc/[0-9]*/status; do grep -q "^Name:.node" $f && grep RssAnon $f; done; exit 0'
  const { stdout } = await space.must('exec', 'api', '--', 'sh', '-c', anonymous)
  const agent = [...stdout.matchAll(/(\d+) kB/g)].reduce((sum, [, kb]) => sum + Number(kb), 0)
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) throw new Error('it has ended')
  const status = readFileSync(path, 'utf8')
  return {
    rssMb: field(status, 'VmRSS') / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    agentMb: agent / 1024,
  }
}

const lab = await openLab()
let [answered, failed, longestGapMs, resets, pods, reconnects] = [0, 0, 0, 0, 0, 0]
const samples: Array<Sample> = []
const wrong: Array<string> = []

await lab.within('soak-up', { env: { DEVTOOL_AGENT_IMAGE: image } }, async (space) => {
  const port = await freePort()
  const serve = 'mkdir -p /tmp/www; echo here >/tmp/www/index.html; exec httpd -f -p 8080 -h /tmp/www'
  space.write(
    'devtool.yml',
    `dev:\n  api:\n    sync: ["files:/work"]\n    persistentVolume: { enabled: false }\n    forward: ["${port}:8080"]\n    command: ${JSON.stringify(serve)}\n`,
  )
  const inPod = async (script: string): Promise<string | undefined> => {
    const { status, stdout } = await space.run('exec', 'api', '--', 'sh', '-c', script)
    return status === 0 ? stdout : undefined
  }
  const users = await soakUsers({
    here: soakTree(join(space.folder, 'files'), join(space.folder, 'grave')),
    remote: '/work',
    inPod,
    // Users delete whole folders.
    nudge: async () => void (await space.run('sync', 'allow', 'api')),
  })
  await space.create('Deployment', sleeping({ replicas: 1, container: { image: 'node:22' } }))
  const relay = await cuttableCluster()
  const { HOME: _home, ...env } = process.env
  const home = join(space.folder, '..')
  const own = { PATH: env['PATH'] ?? '', HOME: home, KUBECONFIG: relay.kubeconfig, DEVTOOL_AGENT_IMAGE: image }
  const record = join(home, 'pid')
  const words = ['up', '--yes', '--namespace', space.namespace]
  const argv = ['sh', '-c', `echo $$ >${record}; exec "$@"`, 'sh', ...installed, ...words]
  const ask = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(3000) }).then(
      async (response) => (await response.text()) === 'here\n',
      () => false,
    )
  await withTmux(argv, { cwd: space.folder, env: own }, async (terminal) => {
    await terminal.until(`forward: localhost:${port}`, 90)
    while (!(await ask())) await sleep(100)
    const pid = Number(readFileSync(record, 'utf8'))
    const begin = performance.now()
    let last = begin
    const request = async (): Promise<void> => {
      if (await ask()) {
        longestGapMs = Math.max(longestGapMs, performance.now() - last)
        last = performance.now()
        answered += 1
      } else failed += 1
    }
    for (let minute = 0; performance.now() - begin < minutes * 60_000 && wrong.length === 0; minute += 1) {
      wrong.push(...(await users.judge()))
      await users.begin()
      for (let tick = 0; tick < 180; tick += 1) {
        users.change()
        if (tick % 4 === 0) await request()
        if (tick === 100) {
          relay.cut()
          resets += 1
        }
        await sleep(250)
      }
      await users.end()
      if (minute % Math.ceil(minutes / 4) === 1 && pods < 3) {
        await users.forget()
        for (const { metadata } of await space.list('Pod', 'dev.devtool/mirror'))
          await space.remove('Pod', metadata.name)
        pods += 1
      }
      wrong.push(...(await users.judge()))
      reconnects = terminal.shown().match(/connection lost/g)?.length ?? 0
      const now = await sampled(space, pid).catch((cause: unknown) => {
        say(terminal.shown())
        throw cause
      })
      samples.push(now)
      say(
        `minute ${minute}: ${now.rssMb.toFixed(1)} MB, ${now.files} files, agent ${now.agentMb.toFixed(1)} MB; ${answered} answers, ${failed} failed, ${users.writes()} contents written, ${resets} resets, ${pods} pods deleted, ${reconnects} reconnects, longest gap ${(longestGapMs / 1000).toFixed(1)} s`,
      )
      // Nobody asks while the users pause.
      last = performance.now()
    }
    say(terminal.shown().trim().split('\n').slice(-5).join('\n'))
  })
  await space.must('down')
  await relay.close()
})

const meanOf = (all: ReadonlyArray<Sample>, of: 'agentMb' | 'rssMb'): number =>
  all.reduce((sum, sample) => sum + sample[of], 0) / all.length
const quarter = Math.max(1, Math.floor(samples.length / 4))
const driftOf = (of: 'agentMb' | 'rssMb'): number =>
  meanOf(samples.slice(-quarter), of) - meanOf(samples.slice(quarter, 2 * quarter), of)
const [drift, agentDrift] = [driftOf('rssMb'), driftOf('agentMb')]
say(
  `${minutes} minutes: the memory changed by ${drift.toFixed(1)} MB, and that of the agent by ${agentDrift.toFixed(1)} MB, from the second quarter to the last`,
)
for (const mistake of wrong) say(mistake)
const isFlat = drift < 20 && agentDrift < 20
const isGood =
  wrong.length === 0 && isFlat && Math.max(...samples.map(({ files }) => files)) - (samples[0]?.files ?? 0) < 20
say(showTally(one(isGood)))
process.exitCode = isGood ? 0 : 1
