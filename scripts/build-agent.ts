/** Builds dist/agent/: the content of the ConfigMap for the pod of a development container. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { leaveNatives } from './build-plugins.ts'
import { architectures, ptyModule } from './pty.ts'

/** Programs of the agent, by their main modules. */
const programs = {
  agent: 'src/agent/main.ts',
  keeper: 'src/agent/keeper.ts',
  install: 'src/agent/install-main.ts',
}

/** A ConfigMap has at most 1 MiB, and every activation sends it. */
const limitBytes = 300_000

/** Runs before anything is unpacked. */
const unpacked = 'install'

export const buildAgent = async (out: string, shared: BuildOptions): Promise<Metafile> => {
  const folder = join(out, 'agent')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { metafile, outputFiles } = await build({
    ...shared,
    entryPoints: programs,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [leaveNatives],
    metafile: true,
    write: false,
  })
  const natives = architectures.map(
    (architecture) => [`pty.${architecture}.node`, readFileSync(ptyModule(architecture))] as const,
  )
  const built = Object.keys(programs).map((name) => {
    const file = outputFiles.find(({ path }) => path.endsWith(`/${name}.cjs`))
    if (file === undefined) throw new Error(`esbuild wrote no ${name}.cjs`)
    return [`${name}.cjs`, file.contents] as const
  })
  const files = [...built, ...natives, ['pid1.sh', readFileSync('src/agent/pid1.sh')] as const].map(([name, bytes]) =>
    name === `${unpacked}.cjs` || name === 'pid1.sh'
      ? ([name, bytes] as const)
      : ([`${name}.gz`, gzipSync(bytes, { level: 9 })] as const),
  )
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  const size = files.reduce((sum, [, bytes]) => sum + bytes.length, 0)
  if (size > limitBytes) throw new Error(`the files of the agent have ${size} bytes, more than ${limitBytes}`)
  return metafile
}
