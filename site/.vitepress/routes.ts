/** Which files of the repository are pages, and where. */
import { posix } from 'node:path'

/** Besides the pages of `docs` and of `site/pages`, which keep their names. */
const renamed: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contribute.md',
  'examples/README.md': 'examples.md',
}

/** Files that are no page but part of the site as they are, and their names there. */
export const attached: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changes.txt',
  LICENSE: 'LICENSE.txt',
  'docs/openapi.json': 'openapi.json',
  'integrations/ci/devtool-ci.sh': 'devtool-ci.sh.txt',
  'integrations/github/action.yml': 'github-action.yml.txt',
  'integrations/gitlab/templates/devtool/template.yml': 'gitlab-devtool.yml.txt',
  '.pre-commit-hooks.yaml': 'pre-commit-hooks.yaml.txt',
}

/** `docs/up.md` → `up.md`. */
export const routeOf = (source: string): string => renamed[source] ?? source.replace(/^(?:docs|site\/pages)\//, '')

/** A code has a page of its own: `errors.md#dt1012-unknown-condition` → `/DT1012`. */
const codePage = (hash: string): string | undefined => /^#(dt\d{4})\b/.exec(hash)?.[1]?.toUpperCase()

const targetOf = (source: string, path: string): string =>
  path === '' ? source : posix.join(posix.dirname(source), path)

/** Whether `href` leads into the source, which is no part of the site: there it is a name without a link. */
export const isOfSource = (source: string, href: string): boolean => /^(?:src|test)\//.test(targetOf(source, href))

/** Where `href`, as it is written in the file `source`, leads on the site. */
export const linkTo = (source: string, href: string): string => {
  if (/^(?:[a-z]+:|\/|#(?!dt\d{4}))/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = targetOf(source, path)
  const hash = fragment === undefined ? '' : `#${fragment}`
  const code = target === 'docs/errors.md' ? codePage(hash) : undefined
  if (code !== undefined) return `/${code}`
  if (path === '') return href
  const file = attached[target]
  if (file !== undefined) return `/${file}`
  const example = /^examples\/(\w[\w-]*)\/./.exec(target)?.[1]
  if (example !== undefined) return `/playground#example=${example}`
  return `/${routeOf(target).replace(/(?:index)?\.md$/, '')}${hash}`
}
