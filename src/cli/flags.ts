/** What the flags of all commands take: for help, for completion, and to find the command behind them. */

import { dataForms, outputForms, reportForms } from '../app/forms.ts'

/** `value` names the value in help texts; a flag without one is a switch. `values` are all it takes; `offers`, where to look for some. */
export type Flag = {
  readonly value: string
  readonly values?: ReadonlyArray<string>
  readonly offers?: 'files' | 'profiles'
}

export const levels = ['debug', 'info', 'warn', 'error'] as const
export const progresses = ['auto', 'tty', 'plain', 'json', 'quiet'] as const

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

const table: Readonly<Record<string, Flag>> = {
  '--domain': { value: 'DOMAIN' },
  '--env-file': { value: 'FILE', offers: 'files' },
  '--file': { value: 'FILE', offers: 'files' },
  '--golden': { value: 'FILE', offers: 'files' },
  '--ingress-class': { value: 'NAME' },
  '--loglevel': { value: 'LEVEL', values: levels },
  '--name': { value: 'NAME' },
  '--namespace': { value: 'NAME' },
  '--output': { value: 'FORM', values: outputForms },
  '--profile': { value: 'NAME', offers: 'profiles' },
  '--progress': { value: 'FORM', values: progresses },
  '--registry': { value: 'HOST' },
  '--report': { value: 'FORM=FILE', values: reportForms.map((form) => `${form}=`) },
  '--timeout': { value: 'DURATION' },
  '--tls-secret': { value: 'NAME' },
  '--var': { value: 'NAME=VALUE' },
}

const long: Readonly<Record<string, string>> = { '-f': '--file', '-n': '--namespace', '-o': '--output' }

/** By any of its names, as the command takes it; `undefined` for a switch. */
export const flagOf = (name: string, command = 'deploy'): Flag | undefined => {
  const key = Object.hasOwn(long, name) ? (long[name] ?? name) : name
  if (key === '--output' && command !== 'deploy') return { value: 'FORM', values: dataForms }
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/**
 * The arguments in their parts: flags with their values, words, and what comes after `--`. `--flag=value` is one flag;
 * the value of `--flag value` is skipped when the flag takes one.
 */
export type Argument =
  | { readonly _tag: 'Flag'; readonly name: string; readonly value?: string | undefined; readonly isBound: boolean }
  | { readonly _tag: 'Word'; readonly text: string }

const isFlagLike = (text: string): boolean => text.startsWith('-') && text !== '-'

export const argumentsOf = (argv: ReadonlyArray<string>): ReadonlyArray<Argument> => {
  const found: Array<Argument> = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    if (text === '--') return [...found, ...argv.slice(at + 1).map((rest): Argument => ({ _tag: 'Word', text: rest }))]
    if (!isFlagLike(text)) found.push({ _tag: 'Word', text })
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
