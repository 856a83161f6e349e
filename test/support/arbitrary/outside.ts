/** Files of other programs that are read besides a project, and the inputs tried with each. */
import * as E from 'fp-ts/lib/Either.js'
import { merge, readText } from '../../../src/adapters/kube/kubeconfig.ts'
import { readDockerConfig } from '../../../src/domain/build/docker-config.ts'
import { printStore, readStore } from '../../../src/domain/context/store.ts'
import { ignorePatterns } from '../../../src/domain/ignore/ignore.ts'
import { compilePatterns, matchBelow } from '../../../src/domain/ignore/patterns.ts'
import { textOfFile } from '../compose/corpus.ts'
import type { Files } from '../compose/project.ts'
import { mutate } from './mutate.ts'
import type { Random } from './random.ts'

export type OutsideKind = 'ignore' | 'kubeconfig' | 'docker' | 'store'

const kubeconfig = `apiVersion: v1
kind: Config
current-context: a
contexts:
- name: a
  context: {cluster: b, user: c, namespace: d}
clusters:
- name: b
  cluster: {server: https://b, certificate-authority-data: YQ==}
users:
- name: c
  user:
    exec: {command: plugin, args: [x], env: [{name: A, value: b}]}
`

const docker = `{
  "auths": {"https://index.docker.io/v1/": {"auth": "YTpi"}, "r.test": {"identitytoken": "t"}},
  "credsStore": "store",
  "credHelpers": {"r.test:5000": "helper"},
  "proxies": {"default": {"httpProxy": "http://proxy:3128"}}
}
`

const store = `{
  "schema": 1,
  "current": "a",
  "contexts": {"a": {"namespace": "n", "builder": "docker", "registry": "r.test/team"}, "https://p.test": {"token": "t"}}
}
`

const ignore = '# comment\n**/node_modules\n!keep/**\n*.log\n/a/b?\n[a-z]*\n**/a*b*c*d\n\\!x\n'
const globs = ['**/', '*', '?', '[', ']', '[^a-z]', '!', '\\', '/', '..', '{a,b}', '**/**/', 'a*'.repeat(30), 'é']
const paths = ['a/b/c', `${'a/'.repeat(200)}b`, 'a'.repeat(4_000), 'keep/x.log', 'é/ü']

/** Rarely very deep, very long, or very numerous. */
const inflated = (rng: Random, text: string): string => {
  if (!rng.chance(0.05)) return text
  const count = 10 ** (1 + rng.below(5))
  const at = rng.below(text.length + 1)
  const part = rng.pick(['[', '{"a":', '{a: ', '"', ' ', '\n', '- ', '&a ', '*a ', '\\', '**/', text])
  const times = Math.min(count, Math.floor(2e6 / part.length))
  return text.slice(0, at) + part.repeat(times) + text.slice(at)
}

const globbed = (rng: Random, text: string): string =>
  rng.chance(0.5) ? text : `${text}${Array.from({ length: rng.below(30) }, () => rng.pick(globs)).join('')}\n`

const texts: Readonly<Record<OutsideKind, string>> = { ignore, kubeconfig, docker, store }

export const outsideFile = (rng: Random, kind: OutsideKind): Files => {
  const text = textOfFile(mutate(rng, inflated(rng, texts[kind])))
  return { [kind]: kind === 'ignore' ? globbed(rng, text) : text }
}

const readers: Readonly<Record<OutsideKind, (text: string) => unknown>> = {
  ignore: (text) => {
    const compiled = compilePatterns(ignorePatterns(text))
    if (E.isRight(compiled)) for (const path of paths) matchBelow(compiled.right, path, [])
  },
  kubeconfig: (text) => {
    const read = readText('kubeconfig', text)
    if (E.isRight(read)) merge([read.right])
  },
  docker: (text) => readDockerConfig('config.json', text),
  store: (text) => {
    const read = readStore('config.json', text)
    if (E.isRight(read)) printStore(read.right)
  },
}

export const readOutside = (kind: OutsideKind, files: Files): void => {
  readers[kind](textOfFile(files[kind]))
}
