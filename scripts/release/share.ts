/** The files beside the executable: in the archives and in the build context of the container image. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../command.ts'
import { nodeLicense } from './single.ts'

const dist = join(root, 'dist')

const put = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** Licence and notices of all that is in the executable. */
const writeLicences = (folder: string): void => {
  put(join(dist, 'NOTICES.txt'), join(folder, 'NOTICES.txt'))
  put(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  put(nodeLicense(), join(folder, 'LICENSE.node'))
}

/** Those of an archive, below a prefix such as ~/.local. */
export const writeShare = (folder: string): void => {
  const share = join(folder, 'share')
  for (const page of readdirSync(join(dist, 'man'))) put(join(dist, 'man', page), join(share, 'man/man1', page))
  put(join(dist, 'completions/devtool'), join(share, 'bash-completion/completions/devtool'))
  put(join(dist, 'completions/_devtool'), join(share, 'zsh/site-functions/_devtool'))
  put(join(dist, 'completions/devtool.fish'), join(share, 'fish/vendor_completions.d/devtool.fish'))
  const doc = join(share, 'doc/devtool')
  put(join(dist, 'completions/devtool.ps1'), join(doc, 'devtool.ps1'))
  cpSync(join(dist, 'schemas'), join(doc, 'schemas'), { recursive: true })
  writeLicences(doc)
}

/** What the container image is made from: a tag, which changes, unless RELEASE_BASE says more. */
export const usualBase = 'debian:12-slim'

/** `program`: the executable for Linux. */
export const writeImage = (folder: string, program: string, base = usualBase): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of ['Dockerfile', 'compose.yaml']) {
    const text = readFileSync(join(root, 'integrations/image', name), 'utf8')
    writeFileSync(join(folder, name), text.replace(usualBase, base))
  }
  copyFileSync(join(root, 'integrations/ci/devtool-ci.sh'), join(folder, 'devtool-ci'))
  copyFileSync(program, join(folder, 'devtool'))
  writeLicences(join(folder, 'licences'))
}
