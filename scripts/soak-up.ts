/**
 * A long session of `up` in a terminal, on the cluster of $KUBECONFIG: `tsx scripts/soak-up.ts [--minutes=60]`. Its
 * forwarded port is requested every second, and a file is edited every five, in turns here and in the container; now and
 * then its connections are reset, and its pod is deleted three times. Memory and open files of the command, and the memory
 * of the agent, are printed every minute.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installed } from '../test/support/cli/installed.ts'
import { workload } from '../test/support/dev/workloads.ts'
import { cuttableCluster } from '../test/support/e2e/cuttable.ts'
import { openLab, type Space } from '../test/support/e2e/e2e.ts'
import { withTmux } from '../test/support/e2e/tmux.ts'
import { freePort } from '../test/support/process/ports.ts'
import { until } from '../test/support/process/until.ts'
import { showTally } from './tally.ts'

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
let [answered, failed, longestGapMs, resets, pods, edits] = [0, 0, 0, 0, 0, 0]
const samples: Array<Sample> = []

await lab.within('soak-up', { env: { DEVTOOL_AGENT_IMAGE: image } }, async (space) => {
  const port = await freePort()
  const serve = 'mkdir -p /tmp/www; echo here >/tmp/www/index.html; exec httpd -f -p 8080 -h /tmp/www'
  space.write(
    'devtool.yml',
    `dev:\n  api:\n    sync: ["files:/work"]\n    persistentVolume: { enabled: false }\n    forward: ["${port}:8080"]\n    command: ${JSON.stringify(serve)}\n`,
  )
  const [here, there] = [space.write('files/here', ''), space.write('files/there', '')]
  const inPod = async (script: string): Promise<string> =>
    (await space.run('exec', 'api', '--', 'sh', '-c', script)).stdout
  const edit = async (second: number): Promise<void> => {
    const isHere = second % 10 === 4
    if (isHere) space.write('files/here', `${second}\n`)
    if (isHere || (await inPod(`echo ${second} >/work/there && echo made`)) === 'made\n') edits += 1
  }
  await space.create('Deployment', workload('Deployment'))
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
    const seconds = minutes * 60
    const [begin, podEvery] = [performance.now(), Math.floor(seconds / 4)]
    let [last, lastMinute] = [begin, -1]
    for (let second = 0; second < seconds; ) {
      if (await ask()) {
        longestGapMs = Math.max(longestGapMs, performance.now() - last)
        last = performance.now()
        answered += 1
      } else failed += 1
      const now = Math.floor((performance.now() - begin) / 1000)
      for (; second <= now; second += 1) {
        if (second % 5 === 4) void edit(second)
        if (second % 45 === 44) {
          relay.cut()
          resets += 1
        }
        if (second % podEvery === podEvery - 1 && pods < 3) {
          for (const { metadata } of await space.list('Pod', 'dev.devtool/mirror'))
            await space.remove('Pod', metadata.name)
          pods += 1
        }
      }
      const minute = Math.floor(now / 60)
      if (minute > lastMinute) {
        lastMinute = minute
        const one = await sampled(space, pid).catch((cause: unknown) => {
          say(terminal.shown())
          throw cause
        })
        samples.push(one)
        say(
          `minute ${minute}: ${one.rssMb.toFixed(1)} MB, ${one.files} files, agent ${one.agentMb.toFixed(1)} MB; ${answered} answers, ${failed} failed, ${edits} edits, ${resets} resets, ${pods} pods deleted, longest gap ${(longestGapMs / 1000).toFixed(1)} s`,
        )
        last = performance.now()
      }
      await sleep(1000)
    }
    space.write('files/here', 'end\n')
    await until('the last edit is there', async () => (await inPod('cat /work/here')) === 'end\n')
    await inPod('echo end >/work/there')
    await until('the last edit of the container is here', () => readFileSync(there, 'utf8') === 'end\n')
    say(`files: ${readdirSync(dirname(here)).join(', ')}`)
    say(terminal.shown().trim().split('\n').slice(-5).join('\n'))
  })
  await space.must('down')
  await relay.close()
})

const mean = (of: ReadonlyArray<Sample>): number => of.reduce((sum, { rssMb }) => sum + rssMb, 0) / of.length
const quarter = Math.max(1, Math.floor(samples.length / 4))
const drift = mean(samples.slice(-quarter)) - mean(samples.slice(quarter, 2 * quarter))
say(`${minutes} minutes: the memory changed by ${drift.toFixed(1)} MB from the second quarter to the last`)
const isFlat = drift < 20 && Math.max(...samples.map(({ files }) => files)) - (samples[0]?.files ?? 0) < 20
say(showTally({ passed: isFlat ? 1 : 0, failed: isFlat ? 0 : 1, skipped: 0 }))
process.exitCode = isFlat ? 0 : 1
