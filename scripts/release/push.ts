/** The container image of a release, built by the command of the release itself, with the builder of whoever releases. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../command.ts'

/** `folder`: the build context that `writeImage` made. The builder is found as for any other project: BUILDKIT_HOST, or Docker. */
export const pushImage = (folder: string, image: string, env: NodeJS.ProcessEnv = process.env): void => {
  const args = [join(root, 'dist/devtool.cjs'), 'build', '--push', '--file', 'compose.yaml']
  const { status } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...env, DEVTOOL_IMAGE: image },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`${image} was not built and pushed`)
}
