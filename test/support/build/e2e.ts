/**
 * Shared by tests of `build`: one builder and its registries per process, a base image that needs no network, and for
 * each test a folder in which the built command runs.
 */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { isObject, type Json, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type CommandResult, type RunningCommand, shown, startDevtool } from '../e2e/command.ts'
import { freePort } from '../process/ports.ts'
import {
  account,
  type RegistryServer,
  startRegistry,
  startTroubledRegistry,
  type TroubledRegistry,
} from '../registry/server.ts'
import { type Buildkitd, type BuildkitdOptions, startBuildkitd } from './buildkitd.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { needPrograms, pathOf, searchPath } from './programs.ts'

type Env = Readonly<Record<string, string>>

/** `user`: its number; the user of the tests by default. `input`: what it reads from stdin. */
type BuildOptions = { readonly env?: Env; readonly user?: number; readonly input?: string }

/** A folder, and the command in it. Every run gets `env`, which its own options can override. */
export type Bench = {
  readonly folder: string
  readonly write: (path: string, text: string | Buffer) => string
  readonly start: (args: ReadonlyArray<string>, options?: BuildOptions) => RunningCommand
  readonly run: (args: ReadonlyArray<string>, options?: BuildOptions) => Promise<CommandResult>
  /** It must succeed. */
  readonly must: (args: ReadonlyArray<string>, options?: BuildOptions) => Promise<CommandResult>
  /** It must fail with that status and that message. */
  readonly fails: (
    status: number,
    says: RegExp,
    args: ReadonlyArray<string>,
    options?: BuildOptions,
  ) => Promise<CommandResult>
}

export type BuildLab = {
  readonly daemon: Buildkitd
  readonly registry: RegistryServer
  /** Requires `account`. */
  readonly guarded: RegistryServer
  /** Has a certificate that only the builder trusts. */
  readonly secured: RegistryServer
  /** The same images as `registry`, but fails for certain names. */
  readonly troubled: TroubledRegistry
  /** An address at which nothing listens. */
  readonly dead: string
  readonly certificates: Certificates
  /** The registry settings of every builder of the tests; images of Docker Hub come from `registry`. */
  readonly registries: BuildkitdOptions
  /** A new one, with `daemon` as its builder unless `env` sets another. */
  readonly bench: (env?: Env) => Bench
}

/** Busybox with all its commands, as `busybox:latest`. */
const makeBase = async (folder: string, daemon: Buildkitd, registry: RegistryServer): Promise<void> => {
  const context = join(folder, 'base')
  mkdirSync(context)
  copyFileSync(pathOf('busybox'), join(context, 'busybox'))
  const users = 'root:x:0:0:root:/root:/bin/sh\\nnobody:x:65534:65534:nobody:/:/bin/false\\n'
  const lines = [
    'FROM scratch',
    'COPY busybox /bin/busybox',
    'RUN ["/bin/busybox","--install","-s","/bin"]',
    `RUN mkdir -p -m 1777 /tmp && mkdir -p /etc /root && printf '${users}' >/etc/passwd`,
    'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'CMD ["sh"]',
  ]
  writeFileSync(join(context, 'Dockerfile'), lines.join('\n'))
  const served = ['context', 'dockerfile'].flatMap((name) => ['--local', `${name}=${context}`])
  const output = `type=image,name=${registry.address}/library/busybox:latest,push=true`
  const built = await daemon.buildctl('build', '--frontend', 'dockerfile.v0', ...served, '--output', output)
  if (built.status !== 0) throw new Error(`the base image cannot be built:\n${built.stderr}`)
}

const makeBench = (folder: string, shared: Env): Bench => {
  const home = join(folder, 'home')
  const own = join(folder, 'app')
  for (const path of [folder, home, own]) {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o777)
  }
  const env = { PATH: searchPath, HOME: home, DEVTOOL_HOME: join(home, '.devtool'), NO_COLOR: '1', ...shared }
  const start: Bench['start'] = (args, { env: more = {}, ...options } = {}) =>
    startDevtool(['build', ...args], { cwd: own, env: { ...env, ...more }, ...options })
  const run: Bench['run'] = (args, options) => start(args, options).ended
  return {
    folder: own,
    write: (path, text) => {
      const file = join(own, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    start,
    run,
    must: async (args, options) => {
      const ended = await run(args, options)
      assert.is(ended.status, 0, `build ${args.join(' ')}: ${shown(ended)}`)
      return ended
    },
    fails: async (status, says, args, options) => {
      const ended = await run(args, options)
      assert.is(ended.status, status, `build ${args.join(' ')}: ${shown(ended)}`)
      assert.match(ended.stderr, says)
      return ended
    },
  }
}

/** An orderly stop, or its files would remain on the disk. */
const endInOrder = (): void => {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

const open = async (): Promise<BuildLab> => {
  needPrograms()
  endInOrder()
  const folder = mkdtempSync(join(tmpdir(), 'devtool-build-'))
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const certificates = makeCertificates(join(folder, 'certificates'))
  const registry = await startRegistry()
  const guarded = await startRegistry({ isGuarded: true })
  const secured = await startRegistry({ tls: certificates })
  const troubled = await startTroubledRegistry(registry)
  const dead = `127.0.0.1:${await freePort()}`
  const registries: BuildkitdOptions = {
    registries: [registry, guarded, troubled].map(({ address }) => address).concat(dead),
    authorities: { [secured.address]: join(certificates.authority, 'ca.pem') },
    mirror: registry.address,
  }
  const daemon = await startBuildkitd(registries)
  await makeBase(folder, daemon, registry)
  let benches = 0
  const bench = (env: Env = {}): Bench => {
    benches += 1
    return makeBench(join(folder, `${benches}`), { BUILDKIT_HOST: daemon.address, ...env })
  }
  return { daemon, registry, guarded, secured, troubled, dead, certificates, registries, bench }
}

let opened: Promise<BuildLab> | undefined

/** One per process; it ends with the process. */
export const openBuildLab = (): Promise<BuildLab> => {
  opened ??= open()
  return opened
}

/** A Dockerfile with these lines, based on the base image. */
export const dockerfile = (...lines: ReadonlyArray<string>): string => ['FROM busybox', ...lines, ''].join('\n')

/** Flags that build the `Dockerfile` of the current folder as an image of this name. */
export const direct = (image: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  '-f',
  'Dockerfile',
  '--tag',
  image,
  ...more,
]

export type Built = {
  readonly name: string
  readonly image: string
  readonly digest: string
  readonly names: ReadonlyArray<string>
  readonly isCached: boolean
}

/** An image in the output of `-o json`. */
export const builtImages = ({ stdout }: CommandResult): ReadonlyArray<Built> => {
  const json: Json = JSON.parse(stdout)
  assert.is(isObject(json) ? json['schema'] : undefined, 1)
  return listAt(json, 'images')
    .filter((entry): entry is JsonObject => isObject(entry))
    .map((entry) => ({
      name: textAt(entry, 'name') ?? '',
      image: textAt(entry, 'image') ?? '',
      digest: textAt(entry, 'digest') ?? '',
      names: listAt(entry, 'names').map(String),
      isCached: entry['cached'] === true,
    }))
}

/** A folder for DOCKER_CONFIG. */
export const dockerConfig = (bench: Bench, name: string, config: JsonObject): Env => {
  const file = bench.write(`../${name}/config.json`, JSON.stringify(config))
  return { DOCKER_CONFIG: dirname(file) }
}

/** An account as `docker login` stores it. */
export const loginOf = (registry: RegistryServer, password: string = account.password): JsonObject => ({
  auths: { [registry.address]: { auth: Buffer.from(`${account.user}:${password}`).toString('base64') } },
})
