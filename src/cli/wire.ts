/** The only file that chooses adapters. Heavy modules are loaded when they are first used. */
import type { Trace } from '../adapters/http/trace.ts'
import { nodeFiles } from '../adapters/node-fs/files.ts'
import { nodeFolders } from '../adapters/node-fs/folders.ts'
import { nodeHome } from '../adapters/node-fs/home.ts'
import { nodeProcess } from '../adapters/node-fs/this-process.ts'
import { nodeWriter } from '../adapters/node-fs/writer.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { systemMachine } from '../adapters/system/machine.ts'
import { systemRandom } from '../adapters/system/random.ts'
import { ttyConsole } from '../adapters/tty/console.ts'
import { ttyPrompt } from '../adapters/tty/prompt.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ports } from '../ports/ports.ts'
import type { ProgressChoice } from './flags/output.ts'
import { once, via } from './lazy.ts'
import type { Process, Screen } from './process.ts'
import { hasColor } from './terminal.ts'

const kubeLoader = (
  process: Process,
  { home: store, progress, ...ports }: Pick<Ports, 'clock' | 'writer' | 'progress' | 'home'>,
  loadTrace: LoadTrace,
) =>
  once(async () => {
    const [{ kubeClusters }, { homedir }, traced] = await Promise.all([
      import('../adapters/kube/clusters.ts'),
      import('node:os'),
      loadTrace(),
    ])
    const { cwd, env, interruption, isTerminal } = process
    const say = (text: string): void => progress.tell({ _tag: 'Said', text })
    const isAttended = isTerminal.stdin && isTerminal.stderr
    const world = { cwd, env, home: homedir(), interruption, random: Math.random, isTerminal: isAttended, say }
    return kubeClusters({ ...ports, ...world, ...traced, store })
  })

/** Lines about requests go to the log of the run and, if wanted, to the user. */
const tracer = (
  { env }: Process,
  choice: ProgressChoice | undefined,
  { clock, progress }: Pick<Ports, 'clock' | 'progress'>,
): (() => Promise<{ readonly trace?: Trace }>) =>
  once(async () => {
    if (choice === undefined) return {}
    const { toolLog } = await import('../adapters/node-fs/tool-log.ts')
    const log = toolLog(env, clock)
    return {
      trace: (line) => {
        log(line)
        if (choice.isDebug) progress.tell({ _tag: 'Said', text: line })
      },
    }
  })

const clientLoader = ({ env }: Process, clock: Clock, loadTrace: LoadTrace) =>
  once(async () => (await import('../adapters/http/traced-client.ts')).httpClientFor(env, clock, await loadTrace()))

type LoadTrace = ReturnType<typeof tracer>
type LoadClient = ReturnType<typeof clientLoader>
type LoadKube = ReturnType<typeof kubeLoader>

const lazyClusters = (load: LoadKube): Ports['clusters'] => ({
  kubeconfig: (file) => via(load, (clusters) => clusters.kubeconfig(file)),
  connect: (choice, signal) => via(load, (clusters) => clusters.connect(choice, signal)),
  inCluster: () => via(load, (clusters) => clusters.inCluster()),
  withTokens: (access, signal) => via(load, (clusters) => clusters.withTokens(access, signal)),
  select: (choice) => via(load, (clusters) => clusters.select(choice)),
  add: (entry, file) => via(load, (clusters) => clusters.add(entry, file)),
})

const lazyPlatforms = ({ env, version }: Process, clock: Clock, loadClient: LoadClient): Ports['platforms'] => {
  const adapter = () => import('../adapters/platform/platforms.ts')
  const load = once(async () => (await adapter()).httpPlatforms({ client: await loadClient(), clock, env, version }))
  return {
    send: (...given) => via(load, (platforms) => platforms.send(...given)),
    follow: async function* follow(...given) {
      yield* (await load()).follow(...given)
    },
    certificate: (url, signal) => via(load, (platforms) => platforms.certificate(url, signal)),
    listen: (state) => via(load, (platforms) => platforms.listen(state)),
    browse: (url) => async () => (await load()).browse(url)(),
  }
}

const lazyPlainFolders = (cwd: string, clock: Clock): Ports['plainFolders'] => {
  const load = once(async () => (await import('../adapters/node-fs/plain-folders.ts')).nodePlainFolders(cwd, clock))
  return {
    lock: (folder) => via(load, (folders) => folders.lock(folder)),
    look: (folder, name) => via(load, (folders) => folders.look(folder, name)),
    put: (folder, name, text, options) => via(load, (folders) => folders.put(folder, name, text, options)),
    remove: (folder, name) => via(load, (folders) => folders.remove(folder, name)),
  }
}

const lazyCommands = (clock: Clock): Ports['commands'] => {
  const load = once(async () => (await import('../adapters/process/commands.ts')).processCommands(clock))
  return {
    run: (invocation, onOutput, signal) => via(load, (commands) => commands.run(invocation, onOutput, signal)),
    scratch: () => via(load, (commands) => commands.scratch()),
  }
}

const lazyProcesses = ({ lend }: Process, clock: Clock): Ports['processes'] => {
  const load = once(async () => (await import('../adapters/process/processes.ts')).nodeProcesses({ clock, lend }))
  return {
    spawn: (program, signal) => via(load, (processes) => processes.spawn(program, signal)),
    attach: (program, signal) => via(load, (processes) => processes.attach(program, signal)),
  }
}

const lazyGit = ({ env }: Process, clock: Clock): Ports['git'] => {
  const load = once(async () => (await import('../adapters/git/git.ts')).systemGit(env, clock))
  return {
    clone: (repository, branch, signal) => via(load, (git) => git.clone(repository, branch, signal)),
    head: async (folder) => (await load()).head(folder),
    tip: (repository, branch, signal) => via(load, (git) => git.tip(repository, branch, signal)),
  }
}

const lazyNetwork = ({ env }: Process, clock: Clock): Ports['network'] => {
  const load = once(async () => (await import('../adapters/network/network.ts')).nodeNetwork(env, clock))
  return {
    ask: (url, timeoutMs, isLenient) => async () => (await load()).ask(url, timeoutMs, isLenient)(),
    read: (url, timeoutMs) => via(load, (network) => network.read(url, timeoutMs)),
    reach: (host, port, timeoutMs) => async () => (await load()).reach(host, port, timeoutMs)(),
    listen: (port, connect, onRefusal) => via(load, (network) => network.listen(port, connect, onRefusal)),
    accept: (address, take, onRefusal) => via(load, (network) => network.accept(address, take, onRefusal)),
    dial: (host, port) => via(load, (network) => network.dial(host, port)),
  }
}

/** Registry credentials, shared by builders and our own requests. */
const lazyCredentials = (
  { env, interruption }: Process,
  { clock, progress }: Pick<Ports, 'clock' | 'progress'>,
  loadClient: LoadClient,
) =>
  once(async () => {
    const [{ dockerCredentials }, { httpTokens }, { homedir }, client] = await Promise.all([
      import('../adapters/registry/credentials.ts'),
      import('../adapters/registry/tokens.ts'),
      import('node:os'),
      loadClient(),
    ])
    const onWarning = (diagnostic: Diagnostic): void => progress.tell({ _tag: 'Found', diagnostic })
    const credentials = dockerCredentials({ clock, env, home: homedir(), interruption, onWarning })
    return { client, credentials, tokens: httpTokens({ client, credentials }) }
  })

const lazyImages = (
  process: Process,
  { clock, clusters, progress }: Pick<Ports, 'clock' | 'clusters' | 'progress'>,
  { loadClient, loadTrace }: { readonly loadClient: LoadClient; readonly loadTrace: LoadTrace },
): Pick<Ports, 'builders' | 'registry'> => {
  const who = lazyCredentials(process, { clock, progress }, loadClient)
  const builders = once(async () => {
    const [{ kitBuilders }, traced] = await Promise.all([import('../adapters/buildkit/builders.ts'), loadTrace()])
    const { env } = process
    // Services that most builds never call.
    return kitBuilders({
      clock,
      credentials: { of: async (host) => (await who()).credentials.of(host) },
      tokens: { fetch: (request, signal) => async () => (await who()).tokens.fetch(request, signal)() },
      env,
      clusters,
      ...traced,
    })
  })
  const registry = once(async () => {
    const { httpRegistry } = await import('../adapters/registry/client.ts')
    return httpRegistry({ clock, ...(await who()) })
  })
  return {
    builders: { connect: (choice, signal) => via(builders, (port) => port.connect(choice, signal)) },
    registry: {
      digestOf: (reference, signal) => via(registry, (port) => port.digestOf(reference, signal)),
      tag: (from, to, signal) => via(registry, (port) => port.tag(from, to, signal)),
    },
  }
}

const lazyContexts = (ports: Pick<Ports, 'clock' | 'home'>): Ports['buildContexts'] => {
  const load = once(async () => (await import('../adapters/buildkit/contexts.ts')).buildContexts(ports))
  return {
    hash: (choice, signal) => via(load, (contexts) => contexts.hash(choice, signal)),
    weigh: (choice, signal) => via(load, (contexts) => contexts.weigh(choice, signal)),
  }
}

const lazySyncedFolders = (clock: Clock): Ports['syncedFolders'] => {
  const load = once(async () => (await import('../adapters/sync/synced-folders.ts')).syncedFolders(clock))
  return {
    locate: (local) => via(load, (folders) => folders.locate(local)),
    open: (...given) => via(load, (folders) => folders.open(...given)),
    diary: (link, signal) => via(load, (folders) => folders.diary(link, signal)),
    serve: (login, text) => via(load, (folders) => folders.serve(login, text)),
    reach: (link, folder) => via(load, (folders) => folders.reach(link, folder)),
  }
}

const lazyKeptFiles = (clock: Clock): Ports['keptFiles'] => {
  const load = once(async () => (await import('../adapters/sync/kept-files.ts')).keptFiles(clock))
  return {
    list: (store) => async () => (await load()).list(store)(),
    restore: (at, copy, isReplacing) => via(load, (kept) => kept.restore(at, copy, isReplacing)),
    conflicts: (local) => via(load, (kept) => kept.conflicts(local)),
  }
}

const lazyLinks = (clock: Ports['clock']): Ports['links'] => {
  const load = once(async () => (await import('../adapters/ssh/client.ts')).sshLinks(clock))
  return {
    newKeys: async () => (await load()).newKeys(),
    newId: async () => (await load()).newId(),
    connect: (...how) => via(load, (links) => links.connect(...how)),
  }
}

const lazySharedConsoles = (): Ports['sharedConsoles'] => {
  const load = once(async () => (await import('../adapters/ssh/shared-consoles.ts')).sharedConsoles)
  return {
    share: (path, console) => via(load, (consoles) => consoles.share(path, console)),
    attach: (path) => async () => (await load()).attach(path)(),
  }
}

const lazyBackground = ({ cwd, env }: Process, clock: Clock): Ports['background'] => {
  const load = once(async () => (await import('../adapters/node-fs/background.ts')).loggedBackground(env, cwd, clock))
  return {
    // Programs that a background process starts inherit the variable, but have no IPC channel.
    given: globalThis.process.send === undefined ? undefined : env['DEVTOOL_BACKGROUND'],
    ready: async () => (await load()).ready(),
    start: (given, log, signal) => via(load, (background) => background.start(given, log, signal)),
  }
}

const progressOf = async (
  { env, isTerminal, stderr, stdout }: Process,
  { form: mode, hasDocument, hasEnd }: ProgressChoice,
  { clock }: Pick<Ports, 'clock'>,
): Promise<Ports['progress']> => {
  const { ttyProgress } = await import('../adapters/tty/progress.ts')
  const shown = (screen: Screen, isOne: boolean) => ({ screen, isTerminal: isOne, color: hasColor(env, isOne) })
  const err = shown(stderr(), isTerminal.stderr)
  const out = hasDocument ? err : shown(stdout(), isTerminal.stdout)
  return ttyProgress({ stdout: out, stderr: err, mode, env, clock, hasEnd })
}

/** For commands that end at once. */
const noProgress: Ports['progress'] = { tell: () => {}, end: () => {} }

const lazyAgent = (): Ports['agent'] => ({
  read: via(
    async () => (await import('../adapters/node-fs/agent-files.ts')).nodeAgentFiles,
    (agent) => agent.read,
  ),
})

/** `choice`: the format of progress; without one there is none. */
export const wire = async (process: Process, choice?: ProgressChoice): Promise<Ports> => {
  const { cwd } = process
  const [clock, writer] = [systemClock, nodeWriter(cwd)]
  const progress = choice === undefined ? noProgress : await progressOf(process, choice, { clock })
  const home = nodeHome(process.env, clock)
  const loadTrace = tracer(process, choice, { clock, progress })
  const loadClient = clientLoader(process, clock, loadTrace)
  const clusters = lazyClusters(kubeLoader(process, { clock, writer, progress, home }, loadTrace))
  return {
    files: nodeFiles(cwd, process.stdin, process.onLargeInput),
    writer,
    folders: nodeFolders(cwd),
    plainFolders: lazyPlainFolders(cwd, clock),
    clusters,
    platforms: lazyPlatforms(process, clock, loadClient),
    ...lazyImages(process, { clock, clusters, progress }, { loadClient, loadTrace }),
    buildContexts: lazyContexts({ clock, home }),
    commands: lazyCommands(clock),
    processes: lazyProcesses(process, clock),
    git: lazyGit(process, systemClock),
    home,
    clock,
    machine: systemMachine(process.env),
    random: systemRandom,
    certificates: async () => (await import('../adapters/x509/certificates.ts')).x509Certificates,
    network: lazyNetwork(process, clock),
    prompt: ttyPrompt(process),
    progress,
    agent: lazyAgent(),
    thisProcess: nodeProcess,
    links: lazyLinks(clock),
    keptFiles: lazyKeptFiles(clock),
    syncedFolders: lazySyncedFolders(clock),
    console: ttyConsole(process),
    background: lazyBackground(process, clock),
    sharedConsoles: lazySharedConsoles(),
  }
}
