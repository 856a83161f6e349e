/**
 * Completes commands in messages with the flags that lead to the user's environment and cluster, so that they work as
 * printed.
 */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../domain/object/defined.ts'
import type { ProgressEvent } from '../domain/progress/event.ts'
import { shellQuoted } from '../domain/text/shell-quoted.ts'
import type { Ports } from '../ports/ports.ts'
import type { FlagArgument } from './flags/flag.ts'
import type { Outcome } from './outcome.ts'
import { commandIn, rowNamed } from './registry.ts'

/** `kubectlContext`: absent when it is the current one of the kubeconfig. */
export type Reach = { readonly given: (key: string) => FlagArgument; readonly kubectlContext?: string | undefined }

const toEnvironment = ['file', 'env-file', 'name', 'namespace', 'context', 'kubeconfig'] as const

/** Flags that lead to the user's own environment; they are not repeated in commands about another one. */
const ofFiles: ReadonlySet<string> = new Set(['file', 'env-file'])

/** Commands that choose a context or namespace, or need no cluster: only `--kubeconfig` is repeated in them. */
const choosing = /^(?:context|namespace|kubeconfig|help|explain)\b/

const valuesOf = (given: FlagArgument): ReadonlyArray<string> => {
  if (typeof given === 'string') return [given]
  return Array.isArray(given) ? given.filter((each: unknown) => typeof each === 'string') : []
}

const keyOf = (flag: string): string => (flag === 'env-file' ? 'envFile' : flag)

const added = (words: ReadonlyArray<string>, names: ReadonlyArray<string>, values: ReadonlyArray<string>) =>
  names.some((name) => words.includes(name)) ? [] : values.flatMap((value) => [names.at(-1) ?? '', shellQuoted(value)])

const namesAnother = ({ given }: Reach, words: ReadonlyArray<string>): boolean => {
  const at = words.indexOf('--name')
  return at !== -1 && words[at + 1] !== given('name')
}

const devtoolFlags = (reach: Reach, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const command = commandIn(words.slice(1))
  const row = command === undefined ? undefined : rowNamed(command)
  const wanted = choosing.test(command ?? '') ? (['kubeconfig'] as const) : toEnvironment
  const isElsewhere = namesAnother(reach, words)
  return wanted.flatMap((flag) => {
    if (isElsewhere && ofFiles.has(flag)) return []
    const known = row?.flags.find(({ names }) => names.includes(`--${flag}`))
    return known === undefined ? [] : added(words, known.names, valuesOf(reach.given(keyOf(flag))))
  })
}

/** A namespace is part of the command itself. */
const kubectlFlags = ({ given, kubectlContext }: Reach, words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...added(words, ['--context'], kubectlContext === undefined ? [] : [kubectlContext]),
  ...added(words, ['--kubeconfig'], valuesOf(given('kubeconfig'))),
]

/** Every printed command is completed by this function. What follows `--` stays at the end. */
export const completeCommand = (reach: Reach, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [program] = words
  if (program !== 'devtool' && program !== 'kubectl') return words
  const flags = program === 'devtool' ? devtoolFlags(reach, words) : kubectlFlags(reach, words)
  const end = words.indexOf('--')
  return end === -1 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)]
}

const printed = /`((?:devtool|kubectl) [^`\n]{1,2000})`/g

export const completeText = (reach: Reach, text: string): string =>
  text.replaceAll(printed, (_, command: string) => `\`${completeCommand(reach, command.split(' ')).join(' ')}\``)

const completeFinding = (reach: Reach, finding: Diagnostic): Diagnostic => ({
  ...finding,
  message: completeText(reach, finding.message),
  ...ifDefined(finding.help, (help) => ({ help: completeText(reach, help) })),
})

const completeEvent = (reach: Reach, event: ProgressEvent): ProgressEvent => {
  if (event._tag === 'Said') return { ...event, text: completeText(reach, event.text) }
  if (event._tag === 'Found') return { ...event, diagnostic: completeFinding(reach, event.diagnostic) }
  if (event._tag !== 'Ended') return event
  return { ...event, findings: event.findings.map((finding) => completeFinding(reach, finding)) }
}

/** `reach`: evaluated when a message is printed. */
export const completePorts = <P extends Pick<Ports, 'console' | 'progress'>>(reach: () => Reach, ports: P): P => ({
  ...ports,
  console: { ...ports.console, say: (text) => ports.console.say(completeText(reach(), text)) },
  progress: { ...ports.progress, tell: (event) => ports.progress.tell(completeEvent(reach(), event)) },
})

export const completeOutcome = (reach: Reach, outcome: Outcome): Outcome => ({
  ...outcome,
  findings: outcome.findings.map((finding) => completeFinding(reach, finding)),
  ...defined({ said: outcome.said?.map((text) => completeText(reach, text)) }),
})
