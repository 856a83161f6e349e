/** The port `Git` over the git program, with the user's own credentials and settings. */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { withoutRepository, withoutUserInfo } from '../../domain/commands/git-variables.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Git, GitTip } from '../../ports/git.ts'
import { guard } from '../process/guard.ts'
import { envMap, findProgram, type ProcessEnv, withoutCurrentFolder } from '../process/programs.ts'
import { makeScratchFolder } from '../process/scratch-folder.ts'

/** Transport helpers that run programs (`ext::`) are not allowed. */
const protocols = 'https:http:ssh:git:file'

/** `said`: the end of stderr; `answer`: the end of stdout. */
type GitResult = { readonly status: number; readonly said: string; readonly answer: string }

/** `isLong`: the program is also ended when this process is killed. */
const runGit = async (
  args: ReadonlyArray<string>,
  env: ProcessEnv,
  signal: AbortSignal,
  isLong = true,
): Promise<GitResult> => {
  const git = await findProgram('git', env, '/')
  if (git === undefined) return { status: -1, said: 'git is not installed', answer: '' }
  return new Promise((resolve) => {
    const child = spawn(git, [...args], {
      env: { ...Object.fromEntries(env), GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: protocols },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    const release = isLong ? guard(child) : () => {}
    let [said, answer] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      answer = `${answer}${chunk.toString('utf8')}`.slice(-4096)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(-4096)
    })
    const end = (status: number, why: string): void => {
      release()
      resolve({ status, said: why, answer })
    }
    child.on('error', (cause) => end(-1, cause.message))
    child.on('close', (status) => end(status ?? -1, said))
  })
}

/** The lines of git, a server and ssh that do not say what is wrong. */
const isAside = (line: string): boolean =>
  /^(?:|Cloning into .*|warning: .*|remote:\s*|Please make sure .*|and the repository exists\.)$/.test(line)

/** What git says last, unless it only repeats that ssh or the server has failed. */
const causeIn = (said: string): string => {
  const lines = said.split('\n').map((line) => line.trim())
  const telling = lines.filter((line) => !isAside(line))
  const first = telling.filter((line) => !/^fatal: Could not read from remote repository\.$/.test(line))
  return (first.at(-1) ?? telling.at(-1) ?? '').replace(/^fatal: /, '')
}

const failed = (repository: string, { said }: GitResult): Diagnostic => {
  const cause = visible(causeIn(publicUrl(said)))
  return error('DT3150', `cannot clone ${visible(publicUrl(repository))}: ${cause}`, {
    help: 'check the address, the branch, and that `git clone` works with it in this shell',
  })
}

/** Lines of `ls-remote --symref`: a tag that is an object of its own comes first, then the commit it names. */
const tipIn = (answer: string, branch: string | undefined): GitTip => {
  const commits = new Map(
    answer.split('\n').map((line) => {
      const [left = '', name = ''] = line.split('\t')
      return [left.startsWith('ref: ') ? `ref: ${name}` : name, left] as const
    }),
  )
  const head = branch ?? commits.get('ref: HEAD')?.slice('ref: refs/heads/'.length)
  const own = head === undefined ? undefined : commits.get(`refs/heads/${head}`)
  const tagged = commits.get(`refs/tags/${branch}^{}`) ?? commits.get(`refs/tags/${branch}`)
  const commit = own ?? (branch === undefined ? commits.get('HEAD') : tagged)
  return defined({ commit, branch: own === undefined && branch !== undefined ? undefined : head })
}

/** Whether git may find a repository, which may also be bare; starting git takes a while. */
const mayBeInside = (folder: string): boolean => {
  const above = dirname(folder)
  return ['.git', 'HEAD'].some((name) => existsSync(join(folder, name))) || (above !== folder && mayBeInside(above))
}

/** git gives the best message for a folder that cannot be read. */
const isAsked = (folder: string): boolean => {
  try {
    return mayBeInside(realpathSync(folder))
  } catch {
    return true
  }
}

/** git's messages for a missing repository or folder. A `.git` that points nowhere is a different error. */
const isOutside = (said: string): boolean =>
  said.includes('not a git repository (or any') ||
  (said.includes('cannot change to ') && said.includes('No such file or directory'))

const firstLine = (said: string): string =>
  visible(
    said
      .replace(/^fatal: /, '')
      .trim()
      .split('\n')[0] ?? '',
  )

const lookMs = 5000

export const systemGit = (env: Readonly<Record<string, string | undefined>>, clock: Pick<Clock, 'timeout'>): Git => {
  const own = new Map([...withoutCurrentFolder(withoutRepository(envMap(env))), ['LC_ALL', 'C']])
  return {
    head: async (folder) => {
      if (!isAsked(folder)) return {}
      let isLate = false
      const look = async (...args: ReadonlyArray<string>): Promise<GitResult> => {
        const signal = clock.timeout(lookMs)
        const ended = await runGit(['-C', folder, ...args], own, signal, false)
        isLate ||= signal.aborted && ended.status !== 0
        return ended
      }
      const ask = async (...args: ReadonlyArray<string>): Promise<string | undefined> => {
        const { answer, status } = await look(...args)
        return status === 0 ? answer.trim() : undefined
      }
      /** Applies `url.<base>.insteadOf`. git takes a name that is not a remote for a URL. */
      const urlOf = async (remote: string): Promise<string | undefined> => {
        const isThere = (await ask('config', '--get', `remote.${remote}.url`)) !== undefined
        return isThere ? ask('ls-remote', '--get-url', '--', remote) : undefined
      }
      const found = await look('rev-parse', '--absolute-git-dir', '--show-prefix')
      if (found.status > 0 && isOutside(found.said)) return {}
      const [gitFolder, prefix] = found.status === 0 ? found.answer.trimEnd().split('\n') : []
      const [commit, branch] = await Promise.all([ask('rev-parse', 'HEAD'), ask('symbolic-ref', '--short', 'HEAD')])
      const remote = branch === undefined ? undefined : await ask('config', '--get', `branch.${branch}.remote`)
      const isNamed = remote !== undefined && remote !== '.' && remote !== 'origin'
      const url = (isNamed ? await urlOf(remote) : undefined) ?? (await urlOf('origin'))
      const refusal = found.status > 0 ? firstLine(found.said) : undefined
      return defined({
        commit,
        branch,
        gitFolder,
        repository: url === undefined ? undefined : publicUrl(url),
        folder: found.status === 0 ? (prefix ?? '').replace(/\/$/, '') : undefined,
        refused: isLate ? `it did not answer within ${lookMs / 1000} seconds` : refusal,
      })
    },
    tip: (repository, branch, signal) => async () => {
      const { address, env: known } = withoutUserInfo(repository, own)
      const names =
        branch === undefined ? ['HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}`, `refs/tags/${branch}^{}`]
      const ended = await runGit(['ls-remote', '--symref', '--', address, ...names], known, signal)
      return ended.status === 0 ? E.right(tipIn(ended.answer, branch)) : E.left(failed(repository, ended))
    },
    clone: (repository, branch, signal) => async () => {
      const { path, remove } = await makeScratchFolder()
      const folder = `${path.replaceAll('\\', '/')}/clone`
      const chosen = branch === undefined ? [] : ['--branch', branch]
      const { address, env: known } = withoutUserInfo(repository, own)
      const ended = await runGit(['clone', '--quiet', '--depth', '1', ...chosen, '--', address, folder], known, signal)
      if (ended.status === 0) return E.right({ folder, remove })
      await remove()
      return E.left(failed(repository, ended))
    },
  }
}
