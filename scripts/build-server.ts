/** Builds dist/platform/: the programs that run in the pods of the platform. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const programs = { api: 'src/server/api.ts' }

/** The image of the platform has each program as one file, and the files of the pages; `platform install` builds it. */
const dockerfile = `FROM node:22-slim
COPY *.cjs /app/platform/
COPY web /app/platform/web/
USER 65532
`

const limitBytes = 1_500_000

export const buildServer = async (
  out: string,
  shared: BuildOptions,
  plugins: ReadonlyArray<Plugin>,
): Promise<Metafile> => {
  const folder = join(out, 'platform')
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    ...shared,
    entryPoints: programs,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [...plugins],
    metafile: true,
  })
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    if (bytes > limitBytes) throw new Error(`${file} has ${bytes} bytes, more than ${limitBytes}`)
  }
  writeFileSync(join(folder, 'Dockerfile'), dockerfile)
  return metafile
}
