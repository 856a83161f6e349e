/** The port `Git` over the program, with the user's own credentials and settings. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Git } from '../../ports/git.ts'

/** Helpers that run programs (`ext::`) are not among them. */
const protocols = 'https:http:ssh:git:file'

/** `said`: the end of its error output; `answer`: of its output. */
type Ended = { readonly status: number; readonly said: string; readonly answer: string }

const lookMs = 5000

const runGit = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn('git', [...args], {
      env: { ...env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: protocols },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let [said, answer] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      answer = `${answer}${chunk.toString('utf8')}`.slice(-4096)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(-4096)
    })
    child.on('error', (cause) => resolve({ status: -1, said: cause.message, answer }))
    child.on('close', (status) => resolve({ status: status ?? -1, said, answer }))
  })

/** User and password of a URL are nobody's business. */
const withoutCredentials = (text: string): string => text.replaceAll(/\/\/[^/@\s]*@/g, '//')

const failed = (repository: string, { said }: Ended): Diagnostic => {
  const last = withoutCredentials(said).trim().split('\n').at(-1) ?? ''
  return error('DT3150', `cannot clone ${visible(withoutCredentials(repository))}: ${visible(last)}`, {
    help: 'check the address, the branch, and that `git clone` works with it in this shell',
  })
}

export const systemGit = (env: Readonly<Record<string, string | undefined>>): Git => ({
  head: async (folder) => {
    const ask = (...args: ReadonlyArray<string>): Promise<Ended> =>
      runGit(['-C', folder, ...args], env, AbortSignal.timeout(lookMs))
    const [commit, branch] = await Promise.all([ask('rev-parse', 'HEAD'), ask('symbolic-ref', '--short', 'HEAD')])
    return {
      ...(commit.status === 0 ? { commit: commit.answer.trim() } : {}),
      ...(branch.status === 0 ? { branch: branch.answer.trim() } : {}),
    }
  },
  clone: (repository, branch, signal) => async () => {
    const folder = await mkdtemp(join(tmpdir(), 'devtool-clone-'))
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {})
    const chosen = branch === undefined ? [] : ['--branch', branch]
    const args = ['clone', '--quiet', '--depth', '1', ...chosen, '--', repository, folder]
    const ended = await runGit(args, env, signal)
    if (ended.status === 0) return E.right({ folder: folder.replaceAll('\\', '/'), remove })
    await remove()
    return E.left(failed(repository, ended))
  },
})
