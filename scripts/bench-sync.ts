/**
 * How fast files are the same here and in a pod, through the tunnel, beside Syncthing: `tsx scripts/bench-sync.ts
 * [--write] [--only=own-1,syncthing-5000,...] [--fresh]` on the cluster of $KUBECONFIG. Needs `npm run build`, Go, git, and
 * busybox and Node's image on the nodes. What was measured is stored after each part, and not measured again.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemMachine } from '../src/adapters/system/machine.ts'
import { openSession } from '../src/app/dev/session.ts'
import { agentFolder } from '../src/domain/dev/agent-pod.ts'
import { run } from '../test/support/dev/agent.ts'
import { realLinks } from '../test/support/dev/links.ts'
import { agentPod, agentPort, apply, type DevWorld, devWorld, rightOf } from '../test/support/e2e/dev-pod.ts'
import { freePort } from '../test/support/process/ports.ts'
import { daily } from './bench-sync-daily.ts'
import {
  apiKey,
  configOf,
  newHome,
  type SyncthingSettings,
  serveArguments,
  syncthingBinary,
} from './bench-sync-syncthing.ts'
import { type EngineName, engines, shown, sizes, table } from './bench-sync-table.ts'
import {
  after,
  fill,
  now,
  type Part,
  type Probe,
  pause,
  probing,
  type Running,
  repeat,
  share,
  type Trees,
  type World,
} from './bench-sync-world.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const cache = join(root, 'node_modules/.cache/bench-sync')
const stateFile = join(cache, 'measured.json')
fs.mkdirSync(cache, { recursive: true })

const isGiven = (flag: string): boolean => process.argv.includes(`--${flag}`)
const only = process.argv
  .find((one) => one.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const state: Record<string, Part> =
  isGiven('fresh') || !fs.existsSync(stateFile) ? {} : JSON.parse(fs.readFileSync(stateFile, 'utf8'))

const endProgram = async (): Promise<string> => {
  const outfile = join(cache, 'bench-end.mjs')
  await build({
    entryPoints: [join(root, 'scripts/bench-sync-end.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return outfile
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

const startEnd = async ({ world: { keys, namespace } }: World, trees: Trees, port?: number) => {
  const env = { ...process.env, BENCH_SYNC: JSON.stringify({ ...trees, keys, namespace, pods: 'app=dev', port }) }
  const child = spawn(process.execPath, [await endProgram()], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const until = (start: string): Promise<string> =>
    new Promise((resolve) => lines.on('line', (line) => line.startsWith(start) && resolve(line)))
  return { child, until }
}

const startOwn = async (world: World, trees: Trees): Promise<Running> => {
  const { child, until } = await startEnd(world, trees)
  return {
    steady: until('Complete').then(() => undefined),
    words: [['bench-end.mjs'], ['agent.cjs']],
    stop: () => ended(child),
  }
}

const startSyncthing = async (kind: SyncthingSettings, world: World, trees: Trees): Promise<Running> => {
  const binary = syncthingBinary()
  const [listen, farGui, gui] = [22_000, 8384, await freePort()]
  const { child: tunnel, until } = await startEnd(world, trees, listen)
  const dial = Number((await until('port ')).slice('port '.length))
  const [near, far] = [newHome(binary, join(trees.store, 'near')), newHome(binary, join(trees.store, 'far'))]
  const home = join(trees.store, 'near')
  fs.writeFileSync(join(home, 'config.xml'), configOf(kind, { tree: trees.local, ids: [near.id, far.id], gui, dial }))
  const farHome = `${dirname(trees.remote)}/home`
  const farFiles = {
    ...far.files,
    'config.xml': configOf(kind, { tree: trees.remote, ids: [far.id, near.id], gui: farGui, listen }),
  }
  const tool = '/sync/tools/syncthing'
  await run(world.link, { command: `mkdir -p /sync/tools ${farHome} ${trees.remote}` })
  for (const [name, text] of Object.entries(farFiles))
    await run(world.link, { command: `cat > ${farHome}/${name}` }, text)
  await pushed(world, binary, tool)
  const program = await rightOf(world.link.run({ command: [tool, ...serveArguments(farHome)] }))
  program.stdout.resume()
  program.stderr.resume()
  const child = spawn(binary, serveArguments(home), { stdio: 'ignore' })
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    try {
      return Object(
        await (await fetch(`http://127.0.0.1:${gui}/rest/${path}`, { headers: { 'X-API-Key': apiKey } })).json(),
      )
    } catch {
      return {}
    }
  }
  const isSteady = async (): Promise<boolean> => {
    const [own, other] = [await ask('db/status?folder=tree'), await ask(`db/completion?folder=tree&device=${far.id}`)]
    return (
      own['state'] === 'idle' &&
      other['remoteState'] === 'valid' &&
      other['needItems'] === 0 &&
      other['needDeletes'] === 0
    )
  }
  const steady = (async () => {
    while (!(await isSteady())) await pause(100)
  })()
  return {
    steady,
    words: [
      ['bench-end.mjs', home],
      ['agent.cjs', farHome],
    ],
    stop: async () => {
      program.signal('KILL')
      await run(world.link, { command: 'killall -9 syncthing' })
      await ended(child)
      await ended(tunnel)
    },
  }
}

/** The program in the pod, uploaded once. */
const pushed = async ({ link }: World, binary: string, to: string): Promise<void> => {
  const { stdout } = await run(link, { command: `wc -c < ${to} 2>/dev/null || echo 0` })
  if (Number(stdout) === fs.statSync(binary).size) return
  const sending = await rightOf(link.run({ command: `cat > ${to} && chmod +x ${to}` }))
  sending.stdout.resume()
  sending.stderr.resume()
  fs.createReadStream(binary).pipe(sending.stdin)
  await rightOf(sending.exit)
}

const start = (engine: EngineName, world: World, trees: Trees): Promise<Running> =>
  engine === 'own' ? startOwn(world, trees) : startSyncthing(engine === 'okteto' ? 'okteto' : 'tuned', world, trees)

type Usage = { readonly cpu: number; readonly memory: number }

const usage = async (probe: Probe, ends: ReadonlyArray<string>): Promise<Usage> => {
  const found: Usage = Object(await probe('usage', ...ends))
  return found
}

/** Until both ends use less than a twentieth of a core, for at most half a minute. */
const calm = async (ends: () => Promise<ReadonlyArray<Usage>>): Promise<void> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const before = await ends()
    await pause(3000)
    const used = (await ends()).map(({ cpu }, end) => cpu - (before[end]?.cpu ?? 0))
    if (Math.max(...used) < 0.15) return
  }
}

const measurePart = async (engine: EngineName, files: number, world: World): Promise<Part> => {
  const base = fs.mkdtempSync(join(tmpdir(), 'bench-sync-'))
  const trees = { local: join(base, 'tree'), store: join(base, 'store'), remote: `/sync/${engine}-${files}/tree` }
  fs.mkdirSync(trees.local)
  fs.mkdirSync(trees.store)
  await fill(trees.local, files)
  await run(world.link, { command: `mkdir -p ${trees.remote}` })
  const before = await usage(world.there, ['agent.cjs'])
  const since = now()
  const engineRuns = await start(engine, world, trees)
  try {
    await world.there('untilCount', trees.remote, files)
    const usable = now() - since
    console.error(`${engine}-${files}: usable after ${(usable / 1000).toFixed(1)} s`)
    await engineRuns.steady
    const steady = now() - since
    console.error(`${engine}-${files}: steady after ${(steady / 1000).toFixed(1)} s`)
    const [hereWords, thereWords] = engineRuns.words
    const ends = async () => [await usage(world.here, hereWords), await usage(world.there, thereWords)] as const
    const [here, there] = await ends()
    const name = files.toLocaleString('en')
    const at = files === 1 ? '1 file' : `${name} files`
    const first: Part =
      files < 20_000
        ? {}
        : {
            [`first transfer of ${name} files, usable / steady`]: [usable, steady],
            [`first transfer of ${name} files, CPU here / in the pod`]: [
              here.cpu * 1000,
              (there.cpu - before.cpu) * 1000,
            ],
          }
    const idle = async (idleMs: number): Promise<ReadonlyArray<number>> => {
      await calm(ends)
      const from = await ends()
      await pause(idleMs)
      return (await ends()).map(({ cpu }, end) => (100_000 * (cpu - (from[end]?.cpu ?? 0))) / idleMs)
    }
    // Of 20,000 files everything is compared every five minutes.
    const rest = await idle(files < 20_000 ? 10_000 : 300_000)
    const part = await daily(world, trees, files, engine === 'okteto' ? 10 : 40)
    const restAfter = await idle(10_000)
    const [end1, end2] = await ends()
    return {
      ...first,
      ...part,
      [`${at}: idle, per cent of a core here / in the pod`]: rest,
      [`${at}: idle after these changes, per cent of a core here / in the pod`]: restAfter,
      [`${at}: anonymous memory here / in the pod, MB`]: [end1.memory, end2.memory],
      [`${at}: load of the machine`]: [loadavg()[0] ?? 0],
    }
  } finally {
    await engineRuns.stop()
    await fs.promises.rm(base, { recursive: true, force: true })
    await run(world.link, { command: `rm -rf ${dirname(trees.remote)}` })
  }
}

const opened = async (world: DevWorld): Promise<World> => {
  const spec = agentPod('busybox:1.37', {
    volumeMounts: [{ name: 'sync', mountPath: '/sync' }],
    command: ['sleep', '100000'],
  })
  const volumes = [...[spec['volumes'] ?? []].flat(), { name: 'sync', emptyDir: {} }]
  await apply(world, 'Pod', { metadata: { name: 'dev', labels: { app: 'dev' } }, spec: { ...spec, volumes } })
  const { cluster, keys, namespace } = world
  const session = openSession({ clock: systemClock, links: realLinks, machine: systemMachine() })(
    { cluster, keys, namespace, container: 'app', port: agentPort, pods: 'app=dev', patienceMs: 60_000 },
    new AbortController().signal,
  )
  const { link } = await rightOf(session.link('terminal'))
  const text = fs.readFileSync(join(root, 'scripts/bench-sync-probe.cjs'), 'utf8')
  const far = await rightOf(link.run({ command: [`${agentFolder}/node`, '-e', text] }))
  far.stderr.pipe(process.stderr)
  const near = spawn(process.execPath, ['-e', text], { stdio: ['pipe', 'pipe', 'inherit'] })
  process.once('exit', () => near.kill())
  return { world, link, here: probing(near.stdin, near.stdout), there: probing(far.stdin, far.stdout) }
}

const heading = 'File synchronisation'
const file = join(root, 'docs/performance.md')
const page = (version: string): string => {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}, which also runs the cluster`
  const how = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:sync -- --write\`: Node ${process.version}, Kubernetes ${version}, ${machine}. Every time is that until a program at the other end sees the change, and the way back of its answer. It looks each millisecond, and counts files each 5 ms; where that takes long, it looks for a fifth of the time. Between two changes there are 0.3 to 0.9 s. The load is that at the end of each part. An empty cell was not measured, or the engine had not sent a change after five minutes.`
  const targets =
    'The targets: a save is there after 12 ms (p50) and 100 ms (p95), both ways; 20,000 files are usable within 9 s and steady 3 s later; at most 0.5 % of a core at rest, and at most 60 MB for the agent. The rest at 20,000 files lasts five minutes, and has one comparison of everything in it. A deletion waits a fifth of a second for what may belong to it: a rename, or the deletion of everything, which is asked about. Tuned, Syncthing 1.30 waits for no further changes, and may then use a core without a pause after many changes in one folder.'
  return `${how}\n\n${targets}\n\n${table(state)}`
}

// Not while there is a link: it would be lost meanwhile.
syncthingBinary()
const world = await devWorld('bench-sync')
try {
  const all = await opened(world)
  console.error(
    `echo: ${share(await repeat(10, () => after(Promise.resolve(), () => all.there('echo'))), 0.5).toFixed(1)} ms`,
  )
  for (const size of sizes) {
    for (const engine of engines) {
      const name = `${engine}-${size}`
      if (state[name] !== undefined || (only !== undefined && !only.includes(name))) continue
      const part = await measurePart(engine, size, all).catch((cause: unknown) => console.error(name, cause))
      if (part === undefined) continue
      state[name] = part
      fs.writeFileSync(stateFile, JSON.stringify(state, undefined, 1))
      for (const [what, values] of Object.entries(part)) console.error(`${engine}: ${what}: ${shown(values, what)}`)
    }
  }
  console.log(table(state))
  if (isGiven('write')) {
    const version = await rightOf(world.cluster.version())
    fs.writeFileSync(file, withSection(fs.readFileSync(file, 'utf8'), heading, page(version)))
  }
} finally {
  await world.end()
}
process.exit(0)
