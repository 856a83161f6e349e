/** What the flags of all commands take: for help, for completion, and to find the command behind them. */

import {
  dataForms,
  endpointForms,
  listForms,
  logForms,
  outputForms,
  recordForms,
  reportForms,
} from '../app/output/forms.ts'

/** `value` names the value in help texts; a flag without one is a switch. `values` are all it takes; `offers`, where to look for some. */
export type Flag = {
  readonly value: string
  readonly values?: ReadonlyArray<string>
  readonly offers?: 'contexts' | 'files' | 'profiles'
}

export const levels = ['debug', 'info', 'warn', 'error'] as const
export const progresses = ['auto', 'tty', 'plain', 'json', 'quiet'] as const

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
/** What `schema` prints. */
export const schemaForms = ['compose', 'manifest'] as const

const table: Readonly<Record<string, Flag>> = {
  '--build-arg': { value: 'NAME=VALUE' },
  '--builder': { value: 'URL' },
  '--cache-from': { value: 'IMAGE' },
  '--context': { value: 'NAME', offers: 'contexts' },
  '--domain': { value: 'DOMAIN' },
  '--env-file': { value: 'FILE', offers: 'files' },
  '--exclude': { value: 'EXPRESSION' },
  '--export-cache': { value: 'IMAGE' },
  '--file': { value: 'FILE', offers: 'files' },
  '--golden': { value: 'FILE', offers: 'files' },
  '--ingress-class': { value: 'NAME' },
  '--kubeconfig': { value: 'FILE', offers: 'files' },
  '--loglevel': { value: 'LEVEL', values: levels },
  '--name': { value: 'NAME' },
  '--namespace': { value: 'NAME' },
  '--output': { value: 'FORM', values: outputForms },
  '--platform': { value: 'PLATFORM' },
  '--profile': { value: 'NAME', offers: 'profiles' },
  '--progress': { value: 'FORM', values: progresses },
  '--pull-registry': { value: 'HOST' },
  '--registry': { value: 'HOST' },
  '--report': { value: 'FORM=FILE', values: reportForms.map((form) => `${form}=`) },
  '--secret': { value: 'SECRET' },
  '--since': { value: 'DURATION' },
  '--tag': { value: 'IMAGE' },
  '--tail': { value: 'LINES' },
  '--target': { value: 'STAGE' },
  '--timeout': { value: 'DURATION' },
  '--tls-secret': { value: 'NAME' },
  '--token': { value: 'TOKEN' },
  '--var': { value: 'NAME=VALUE' },
}

/** What `--output` takes where it is not what most commands take. */
const forms: ReadonlyMap<string, ReadonlyArray<string>> = new Map<string, ReadonlyArray<string>>([
  ['deploy', outputForms],
  ['context list', listForms],
  ['context show', recordForms],
  ['list', listForms],
  ['logs', logForms],
  ['endpoints', endpointForms],
])

const long: Readonly<Record<string, string>> = { '-f': '--file', '-n': '--namespace', '-o': '--output', '-t': '--tag' }

/** By any of its names, as the command takes it; `undefined` for a switch. */
export const flagOf = (name: string, command = 'deploy'): Flag | undefined => {
  const key = Object.hasOwn(long, name) ? (long[name] ?? name) : name
  if (key === '--output') return { value: 'FORM', values: forms.get(command) ?? dataForms }
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/**
 * The arguments in their parts: flags with their values, words, and what comes after `--`. `--flag=value` is one flag;
 * the value of `--flag value` is skipped when the flag takes one. `at`: which of the arguments it is.
 */
export type Argument =
  | { readonly _tag: 'Flag'; readonly name: string; readonly value?: string | undefined; readonly isBound: boolean }
  | { readonly _tag: 'Word'; readonly text: string; readonly at: number }

const isFlagLike = (text: string): boolean => text.startsWith('-') && text !== '-'

export const argumentsOf = (argv: ReadonlyArray<string>): ReadonlyArray<Argument> => {
  const found: Array<Argument> = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    if (text === '--') {
      const start = at + 1
      return [...found, ...argv.slice(start).map((rest, i): Argument => ({ _tag: 'Word', text: rest, at: start + i }))]
    }
    if (!isFlagLike(text)) found.push({ _tag: 'Word', text, at })
    else {
      const [name = '', ...rest] = text.split('=')
      const next = argv[at + 1]
      if (text.includes('=')) found.push({ _tag: 'Flag', name, value: rest.join('='), isBound: true })
      else if (flagOf(name) === undefined || next === undefined || isFlagLike(next)) {
        found.push({ _tag: 'Flag', name, isBound: false })
      } else {
        found.push({ _tag: 'Flag', name, value: next, isBound: false })
        at += 1
      }
    }
  }
  return found
}
