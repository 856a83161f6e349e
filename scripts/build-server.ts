/** Builds dist/platform/: the programs that run in the pods of the platform. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const programs = {
  api: 'src/server/api.ts',
  controller: 'src/server/controller.ts',
  runner: 'src/server/runner.ts',
}

/**
 * The image of the platform has each program as one file, the files of the pages, and the command for runs, which
 * commands of manifests find on the PATH; `platform install` builds it.
 */
const dockerfile = `FROM node:22-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
RUN mkdir -p /usr/local/bin && ln -s /app/devtool.cjs /usr/local/bin/devtool
COPY . /app/
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
