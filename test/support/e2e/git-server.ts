/** A server of git repositories over TLS, as `git http-backend` serves them, with an authority of its own. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { x509Certificates } from '../../../src/adapters/x509/certificates.ts'
import { serveRepository } from '../http/git-backend.ts'

type Files = Readonly<Record<string, string>>

export type GitServer = {
  /** `https://host.example:41234`. */
  readonly url: string
  readonly authority: string
  /** A repository with one commit of these files; links are written as `-> TARGET`, submodules as `@> COMMIT`. */
  readonly add: (name: string, files: Files) => string
  /** A commit of these files on a new branch, which leaves from the branch that was added last. */
  readonly branch: (name: string, branch: string, files: Files) => void
  readonly removeBranch: (name: string, branch: string) => void
  /** A commit without this file on the branch that was added last. */
  readonly removeFile: (name: string, path: string) => void
  /** Redirects requests below this path. */
  readonly redirect: (path: string, to: string) => void
  /** Requires this token for paths below this one. */
  readonly protect: (path: string, token: string) => void
  /** A repository with one commit of files that take this much when they are written, and almost nothing to send. */
  readonly addLarge: (name: string, mebibytes: number) => string
  /** Sends half of the files below this path, and then nothing. */
  readonly stall: (path: string) => void
  /** The requests, with their credentials. */
  readonly requests: ReadonlyArray<string>
}

const gitFed = (input: string, cwd: string, ...args: ReadonlyArray<string>): string => {
  const identity = {
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@e',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@e',
  }
  const { status, stderr, stdout } = spawnSync('git', args, { cwd, input, env: { ...process.env, ...identity } })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${String(stderr)}`)
  return String(stdout)
}

const git = (cwd: string, ...args: ReadonlyArray<string>): string => gitFed('', cwd, ...args)

const PART_MEBIBYTES = 16

/** Writes half of an answer with files, and never ends it. */
const stallPack = (response: ServerResponse): void => {
  const end = response.end.bind(response)
  const stalling = (body: Buffer): ServerResponse => {
    if (!body.includes('PACK')) return end(body)
    response.write(body.subarray(0, Math.floor(body.length / 2)))
    return response
  }
  Object.assign(response, { end: stalling })
}

const commit = (work: string, files: Files): void => {
  const submodules = Object.entries(files).filter(([, text]) => text.startsWith('@> '))
  for (const [path, text] of Object.entries(files)) {
    if (text.startsWith('@> ')) continue
    mkdirSync(dirname(join(work, path)), { recursive: true })
    if (text.startsWith('-> ')) spawnSync('ln', ['-s', text.slice(3), join(work, path)])
    else writeFileSync(join(work, path), text)
  }
  git(work, 'add', '-A')
  for (const [path, text] of submodules)
    git(work, 'update-index', '--add', '--cacheinfo', `160000,${text.slice(3)},${path}`)
  git(work, 'commit', '-q', '-m', 'files')
}

export const withGitServer = async (host: string, use: (server: GitServer) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'git-server-'))
  const validity = { days: 2, nowMs: Date.now() }
  const authority = x509Certificates.authority('Test authority', validity)
  const { certificate, key } = x509Certificates.issue(authority, [host], validity)
  const requests: Array<string> = []
  const [redirects, tokens] = [new Map<string, string>(), new Map<string, string>()]
  const stalled: Array<string> = []
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const path = request.url ?? ''
    const { authorization = '' } = request.headers
    requests.push(`${path} ${authorization}`.trim())
    const to = [...redirects].find(([from]) => path.startsWith(from))
    if (to !== undefined) {
      response.writeHead(302, { location: path.replace(...to) })
      return void response.end()
    }
    const needed = [...tokens].find(([from]) => path.startsWith(from))?.[1]
    const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    if (needed !== undefined && !given.endsWith(`:${needed}`)) {
      response.writeHead(401, { 'www-authenticate': 'Basic' })
      return void response.end()
    }
    if (stalled.some((from) => path.startsWith(from))) stallPack(response)
    serveRepository(folder, request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, resolve)
  })
  const address: AddressInfo | string | null = server.address()
  const url = `https://${host}:${typeof address === 'object' ? address?.port : ''}`
  try {
    await use({
      url,
      authority: authority.certificate,
      add: (name, files) => {
        const work = join(folder, 'work', name)
        mkdirSync(work, { recursive: true })
        git(work, 'init', '-q', '-b', 'main')
        commit(work, files)
        git(folder, 'clone', '-q', '--bare', work, join(folder, `${name}.git`))
        return `${url}/${name}.git`
      },
      branch: (name, branch, files) => {
        const work = join(folder, 'work', name)
        git(work, 'checkout', '-q', '-b', branch)
        commit(work, files)
        git(work, 'push', '-q', join(folder, `${name}.git`), branch)
      },
      removeBranch: (name, branch) => void git(join(folder, `${name}.git`), 'branch', '-q', '-D', branch),
      removeFile: (name, path) => {
        const work = join(folder, 'work', name)
        git(work, 'rm', '-q', path)
        git(work, 'commit', '-q', '-m', 'less')
        git(work, 'push', '-q', join(folder, `${name}.git`), 'HEAD')
      },
      redirect: (path, to) => void redirects.set(path, to),
      addLarge: (name, mebibytes) => {
        const bare = join(folder, `${name}.git`)
        git(folder, 'init', '-q', '--bare', '-b', 'main', bare)
        const part = join(folder, 'part')
        // Not of zeros, for which git leaves holes in the files that it writes.
        writeFileSync(part, 'a'.repeat(PART_MEBIBYTES * 1024 * 1024))
        const blob = git(bare, 'hash-object', '-w', part).trim()
        // One object with many names.
        const names = Array.from({ length: Math.ceil(mebibytes / PART_MEBIBYTES) }, (_, index) => `part-${index}`)
        const tree = gitFed(names.map((one) => `100644 blob ${blob}\t${one}\n`).join(''), bare, 'mktree').trim()
        git(bare, 'update-ref', 'refs/heads/main', git(bare, 'commit-tree', tree, '-m', 'large').trim())
        return `${url}/${name}.git`
      },
      stall: (path) => void stalled.push(path),
      protect: (path, token) => void tokens.set(path, token),
      requests,
    })
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}
