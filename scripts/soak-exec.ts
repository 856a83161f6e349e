/**
 * Runs `exec` again and again, on the cluster of $KUBECONFIG: `tsx scripts/soak-exec.ts [--tries=500] [--lanes=3]
 * [--faults]`. Each must end with its status and print exactly what its program has written, however short its life or
 * large its output. With faults, connections are cut and pods deleted meanwhile: then it may also fail, but never
 * silently.
 */
import { workload } from '../test/support/dev/workloads.ts'
import { shown } from '../test/support/e2e/command.ts'
import { cuttableCluster } from '../test/support/e2e/cuttable.ts'
import { openLab, type Space } from '../test/support/e2e/e2e.ts'
import { showTally } from './tally.ts'

const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const [tries, lanes] = [Number(given('tries') ?? 500), Number(given('lanes') ?? 3)]
const isFaulty = process.argv.includes('--faults')
/** The connection was lost; the program was terminated or killed with its pod; nothing was reached. */
const cutOff: ReadonlySet<number> = new Set([125, 143, 137, 8])
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

type Case = {
  readonly words: ReadonlyArray<string>
  readonly status: number
  readonly out: string
  readonly err: string
}

const lines = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')
const caseOf = (number: number): Case => {
  const text = `try ${number}\n`
  const short: Case = { words: ['echo', 'try', `${number}`], status: 0, out: text, err: '' }
  const both = `echo try ${number}; echo try ${number} >&2; exit 3`
  const cases: ReadonlyArray<Case> = [
    short,
    { words: ['sh', '-c', both], status: 3, out: text, err: text },
    short,
    { words: ['sh', '-c', 'seq 1 20000'], status: 0, out: lines, err: '' },
  ]
  return cases[number % cases.length] ?? short
}

let [passed, failed, cut] = [0, 0, 0]
const lab = await openLab()
const env = { DEVTOOL_AGENT_IMAGE: process.env['DEVTOOL_AGENT_IMAGE'] ?? 'node:22.23-bookworm-slim' }

const check = async ({ run }: Pick<Space, 'run'>, number: number): Promise<void> => {
  const { err, out, status, words } = caseOf(number)
  const ended = await run('exec', 'api', '--', ...words)
  if (isFaulty && cutOff.has(ended.status) && ended.stderr !== '') {
    cut += 1
    return
  }
  if (ended.status === status && ended.stdout === out && ended.stderr.endsWith(err)) {
    passed += 1
    return
  }
  failed += 1
  say(`FAILED try ${number}, ${words.join(' ')}: ${ended.stdout.length} characters, ${shown(ended).slice(0, 500)}`)
}

await lab.within('soak-exec', { env }, async (space) => {
  space.write('devtool.yml', 'dev:\n  api:\n    persistentVolume: { enabled: false }\n    command: sleep 100000\n')
  await space.create('Deployment', workload('Deployment'))
  await space.must('up', '--yes', '--detach')
  const relay = await cuttableCluster()
  const way = isFaulty ? space.through(relay.kubeconfig, lab.context) : space
  let faults = 0
  const fault = async (): Promise<void> => {
    faults += 1
    if (faults % 8 !== 0) return relay.cut()
    for (const { metadata } of await space.list('Pod', 'dev.devtool/mirror')) await space.remove('Pod', metadata.name)
  }
  const faulty = isFaulty ? setInterval(() => void fault(), 900) : undefined
  const numbers = Array.from({ length: tries }, (_, index) => index + 1).values()
  const lane = async (): Promise<void> => {
    for (const number of numbers) await check(way, number)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  clearInterval(faulty)
  await relay.close()
  await space.must('down')
})
if (isFaulty) say(`${cut} were cut off, and said so`)
say(showTally({ passed, failed, skipped: 0 }))
process.exitCode = failed === 0 ? 0 : 1
