/**
 * Builds the site into site/dist: its own packages if they are not there, the library, types, pages. With `--serve`, shows
 * it until it is stopped.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binPath, root, runNode } from './command.ts'
import { serveSite } from './site-server.ts'

const folder = join(root, 'site')

/** npm records the installed packages in a file of its own. */
const isInstalled = (): boolean => {
  const kept = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(kept)) return false
  const versionsIn = (file: string): ReadonlyMap<string, string> => {
    const { packages }: { packages: Record<string, { version?: string; optional?: boolean }> } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const needed = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true)
    return new Map(needed.map(([path, { version = '' }]) => [path, version]))
  }
  const installed = versionsIn(kept)
  return [...versionsIn(join(folder, 'package-lock.json'))].every(([path, version]) => installed.get(path) === version)
}

const run = async (title: string, args: ReadonlyArray<string>, cwd: string): Promise<void> => {
  const { output, status } = await runNode(args, { cwd })
  if (status !== 0) throw new Error(`${title}\n${output}`)
}

const install = (): void => {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm ci failed in site')
}

try {
  if (!isInstalled()) install()
  await run('the library cannot be built', [binPath('tsx'), 'scripts/build.ts', '--quiet'], root)
  await run('types', [join(folder, 'node_modules/vue-tsc/bin/vue-tsc.js'), '--noEmit'], folder)
  await run('pages', [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build'], folder)
  process.stdout.write(`${join('site', 'dist')}\n`)
  if (process.argv.includes('--serve')) process.stdout.write(`${(await serveSite(join(folder, 'dist'))).address}\n`)
} catch (cause) {
  process.stderr.write(`site: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}
