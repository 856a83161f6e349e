/** Commands of a person of the test platform. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Git, GitTip } from '../../../src/ports/git.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryPlatforms } from '../../memory/platforms.ts'
import { devtool } from '../cli/cli.ts'
import { noGit } from '../cluster/memory-ports.ts'
import { type Person, settings, type TestPlatform, testPlatform, tokenOf } from './world.ts'

const URL_OF_IT = 'https://p.test'
const clone = {
  gitFolder: '/home/me/shop/.git',
  branch: 'feature',
  commit: 'aaaa',
  repository: 'git@git.example.com:team/web.git',
}

type Story = {
  readonly platform?: TestPlatform
  readonly head?: Awaited<ReturnType<Git['head']>>
  /** What the git server has, asked for this branch or for its main one. */
  readonly tip?: (branch: string | undefined) => GitTip
  readonly env?: Readonly<Record<string, string>>
}

/** `run` is the command line of that person, in a clone whose branch is `feature`. */
export const as = (
  person: Person,
  {
    env = {},
    head = clone,
    platform = testPlatform(),
    tip = () => ({ branch: clone.branch, commit: clone.commit }),
  }: Story = {},
) => {
  const cluster = { ...platform.cluster, server: settings.kubernetes.server }
  const ports = {
    clusters: memoryClusters(new Map([['plain', cluster]])),
    platforms: memoryPlatforms({ url: URL_OF_IT, send: (method, path, more) => platform.send(method, path, more) }),
    git: {
      ...noGit,
      head: async () => head,
      tip: (_repository: string, branch: string | undefined) => TE.right(tip(branch)),
    },
  }
  const own = { DEVTOOL_CONTEXT: URL_OF_IT, DEVTOOL_TOKEN: tokenOf(person), DEVTOOL_NAMESPACE: 'shop' }
  const run = (...argv: ReadonlyArray<string>) => devtool(argv, { env: { ...own, ...env }, memory: { ports } })
  return { run, platform }
}
