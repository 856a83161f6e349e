/** The builder, registry and programs for `bench:build`; each run reports its times and its peak memory. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuildkitd } from '../test/support/build/buildkitd.ts'
import { startLink } from '../test/support/build/link.ts'
import { ask, buildkitPath, needPrograms } from '../test/support/build/programs.ts'
import { startRegistry } from '../test/support/registry/server.ts'
import { root } from './command.ts'

/** Seconds and megabytes of one process; `cpu` is user plus system time. */
export type Timed = { readonly wall: number; readonly cpu: number; readonly peak: number }

/** The sides of the comparison. `before`: another build of devtool. */
export type Side = 'devtool' | 'buildctl' | 'before'

needPrograms()
export const folder = mkdtempSync(join(tmpdir(), 'bench-build-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const registry = await startRegistry()
const daemon = await startBuildkitd({ registries: [registry.address] })
export const before = process.argv.find((argument) => argument.startsWith('--before='))?.slice('--before='.length)
const program = process.env['BENCH_COMMAND'] ?? join(root, 'dist/devtool.cjs')
const home = join(folder, 'home')
const times = join(folder, 'times')
const env = { PATH: process.env['PATH'] ?? '', HOME: home, DEVTOOL_HOME: join(home, '.devtool'), NO_COLOR: '1' }
mkdirSync(home)

/** Measured by time(1), which gets the figures from the kernel. */
const timed = (
  words: ReadonlyArray<string>,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    const options = { cwd, env: { ...env, ...more }, timeout: 600_000 }
    const child = spawn('/usr/bin/time', ['-q', '-f', '%U %S %M', '-o', times, ...words], options)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    }
    child.on('error', reject)
    child.on('close', (status) => {
      const wall = (performance.now() - begin) / 1000
      if (status !== 0) return reject(new Error(`${words.join(' ')} ended with ${status}:\n${said.slice(-2000)}`))
      const [user = 0, system = 0, kilobytes = 0] = readFileSync(times, 'utf8').trim().split(' ').map(Number)
      resolve({ wall, cpu: user + system, peak: kilobytes / 1024 })
    })
  })

/** `image`: the name to push to; without one nothing is pushed. */
type Place = { readonly context: string; readonly address: string; readonly image?: string }

const commandOf = (side: Side, { address, context, image }: Place): ReadonlyArray<string> => {
  if (side !== 'buildctl') {
    const flags = ['-f', 'Dockerfile', '--progress', 'plain']
    const output = image === undefined ? ['--push=false'] : ['--tag', image]
    return [
      process.execPath,
      side === 'before' && before !== undefined ? before : program,
      'build',
      ...flags,
      ...output,
    ]
  }
  const served = ['context', 'dockerfile'].flatMap((name) => ['--local', `${name}=${context}`])
  const output = image === undefined ? [] : ['--output', `type=image,name=${image},push=true`]
  const flags = ['--progress', 'plain', '--frontend', 'dockerfile.v0', ...served, ...output]
  return [buildkitPath('buildctl'), '--addr', address, 'build', ...flags]
}

const buildAt = (side: Side, place: Place): Promise<Timed> =>
  timed(commandOf(side, place), place.context, { BUILDKIT_HOST: place.address })

/** Without a push, which only measures the builder. */
export const build = (side: Side, context: string): Promise<Timed> =>
  buildAt(side, { context, address: daemon.address })

/** Node doing nothing: the minimum for any program in Node. */
export const bareNode = (): Promise<Timed> => timed([process.execPath, '-e', '0'], folder)

/** All services of a Compose file, pushed to the registry: existing images are not built. */
export const buildServices = (context: string, file: string): Promise<Timed> => {
  const words = [process.execPath, program, 'build', '--file', file, '--progress', 'plain']
  return timed(words, context, { BUILDKIT_HOST: daemon.address, DEVTOOL_REGISTRY: `${registry.address}/bench` })
}

/** The number of bytes that a build sends; not timed. */
export const sentBy = async (side: Side, context: string): Promise<number> => {
  const link = await startLink(daemon.port)
  try {
    await buildAt(side, { context, address: link.address })
    return link.sent()
  } finally {
    link.close()
  }
}

/** The digests of the layers that this side produces. */
export const layersOf = async (side: Side, context: string): Promise<string> => {
  await buildAt(side, { context, address: daemon.address, image: `${registry.address}/bench/${side}:1` })
  const accept = 'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json'
  const answer = await fetch(`http://${registry.address}/v2/bench/${side}/manifests/1`, { headers: { accept } })
  return (
    (await answer.text())
      .match(/sha256:\w+/g)
      ?.slice(1)
      .join(' ') ?? ''
  )
}

/** Flushes writes to disk, so that none happen during a measurement. */
export const settle = (): void => {
  ask('sync', [])
}

/** Clears the builder's cache. */
export const prune = async (): Promise<void> => {
  const { status, stderr } = await daemon.buildctl('prune', '--all')
  if (status !== 0) throw new Error(`prune: ${stderr}`)
}

export const end = (): void => {
  daemon.end()
  registry.end()
}
