/**
 * Reads what git's own files say about a repository (git-config(1), gitrepository-layout(5)). Nothing here runs git.
 */

/** The value of a line, without quotes and comments. */
const valueOf = (text: string): string => {
  let [value, quoted] = ['', false]
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') quoted = !quoted
    else if (char === '\\') {
      at += 1
      value += text.charAt(at)
    } else if (!quoted && (char === '#' || char === ';')) break
    else value += char
  }
  return value.trim()
}

/** `url` of the remote `origin`; as in git, the last one wins. */
export const originUrl = (config: string): string | undefined => {
  let section = ''
  let url: string | undefined
  for (const line of config.split('\n')) {
    const header = /^\s*\[([^\]]*)\]/.exec(line)
    if (header !== null) section = (header[1] ?? '').trim()
    const [, value] = /^(?:\s*\[[^\]]*\])?\s*url\s*=(.*)$/i.exec(line) ?? []
    if (value !== undefined && /^remote\s+"origin"$/i.test(section)) url = valueOf(value)
  }
  return url === '' ? undefined : url
}

/** The name of a repository by its URL: the last part of the path, without `.git`. */
export const repositoryName = (url: string): string | undefined => {
  const [path = ''] = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split(/[?#]/, 1)
  const name = path
    .split(/[/\\:]/)
    .findLast((part) => part !== '' && part !== '.git')
    ?.replace(/\.git$/, '')
  return name === '' ? undefined : name
}

/** The target of a `.git` file, as in submodules and worktrees. */
export const gitFolder = (file: string): string | undefined => /^gitdir:(.*)$/m.exec(file)?.[1]?.trim() || undefined
