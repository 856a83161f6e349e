/** The commands that goldens advise. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In backticks, and after `next`. */
export const advisedIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`((?:devtool|kubectl) [^`\n]+)`|^ {2}next {4}((?:devtool|kubectl) .+)$/gm)].map(
    ([, inText = '', next = '']) => `${inText}${next}`,
  )

const goldens = join(import.meta.dirname, '../../golden')

/** Those of `why` are printed by the test of it on a cluster, which types them. */
const advised: ReadonlySet<string> = new Set(
  readdirSync(goldens, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.txt') && !file.startsWith('why'))
    .flatMap((file) => advisedIn(readFileSync(join(goldens, file), 'utf8'))),
)

/** These only name a command. */
const names: ReadonlySet<string> = new Set(['devtool preview deploy', 'kubectl describe', 'kubectl edit'])

/** Typed where there is a platform, with the account of who installs it or of a user, and by whoever uses Argo CD. */
export const advisedWith = {
  platform: [
    'devtool platform install --context test',
    'devtool platform upgrade --context test',
    'devtool platform backup --context test',
    'devtool why --name platform --namespace devtool-system --context test',
  ],
  user: [
    'devtool context use URL',
    'devtool context use URL --builder ADDRESS',
    'devtool variable set DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM',
  ],
  run: ['devtool pipeline logs --name web --namespace look'],
  argo: ['kubectl annotate applications.argoproj.io shop --namespace argocd argocd.argoproj.io/skip-reconcile=true'],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

const elsewhere: ReadonlySet<string> = new Set([...names, ...Object.values(advisedWith).flat()])
const isOfDevelopment = (line: string): boolean => /^devtool (?:up|down|exec|status|sync)\b/.test(line)

/** The others, and of which of those above no golden has any more. */
export const advisedHere = {
  development: [...advised].filter((line) => isOfDevelopment(line)),
  deploy: [...advised].filter((line) => !isOfDevelopment(line) && !elsewhere.has(line)),
  gone: [...elsewhere].filter((line) => !advised.has(line)),
}
