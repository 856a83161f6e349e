/** What could not be destroyed, and why. */
import { endsByItself } from '../cluster/finalizers.ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import type { EnvironmentRecord } from '../environment/record.ts'
import { listed } from '../text/listed.ts'
import { visible } from '../text/visible.ts'

/** An object that still exists, with its finalizers, and what it waits for, when that is known. */
export type Remaining = { readonly id: string; readonly finalizers: ReadonlyArray<string>; readonly waiting: string }

const mostNamed = 10

const showRemaining = ({ id, waiting }: Remaining): string => (waiting === '' ? id : `${id} (${waiting})`)

const showAll = (remaining: ReadonlyArray<Remaining>): string => {
  const rest = remaining.length > mostNamed ? [`${remaining.length - mostNamed} more`] : []
  return [...remaining.slice(0, mostNamed).map(showRemaining), ...rest].join(', ')
}

const isBlocked = ({ finalizers }: Remaining): boolean => finalizers.some((name) => !endsByItself(name))

const helpFor = (remaining: ReadonlyArray<Remaining>): string =>
  remaining.some(isBlocked)
    ? 'a finalizer is removed by the controller that set it: check that it is running; if it is gone for good, remove the finalizer with `kubectl edit`'
    : 'run destroy again to keep waiting, or use --timeout to wait longer'

/** DT3301 when time ran out, DT3302 when interrupted. */
export const unfinished = (remaining: ReadonlyArray<Remaining>, isTimeout: boolean): Diagnostic => {
  const what = remaining.length === 0 ? '' : `; still there: ${showAll(remaining)}`
  return isTimeout
    ? error('DT3301', `timed out${what}`, { help: helpFor(remaining) })
    : error('DT3302', `interrupted${what}`, { help: 'run destroy again to continue' })
}

const lesser = {
  '--all': 'only one environment is destroyed',
  '--volumes': 'its data is kept',
  '--dependencies': 'what it depends on stays',
} as const

/** DT3303. `flag`: the one that has to be confirmed. */
export const unconfirmed = (flag: keyof typeof lesser): Diagnostic =>
  error('DT3303', 'nothing was deleted: the question was answered with no', { help: `without ${flag} ${lesser[flag]}` })

/** DT3304, one for all kinds. */
export const unsearchedKinds = (kinds: ReadonlyArray<string>): ReadonlyArray<Diagnostic> =>
  kinds.length === 0
    ? []
    : [
        warning('DT3304', `not searched, since listing them is forbidden: ${kinds.join(', ')}`, {
          help: 'objects of these kinds are kept; the role "edit" in the namespace covers all that devtool needs',
        }),
      ]

/** DT3306. */
export const usedClaim = (claim: string, pods: ReadonlyArray<string>): Diagnostic =>
  warning(
    'DT3306',
    `PersistentVolumeClaim/${claim} is kept: it is used by ${pods.map((pod) => `Pod/${pod}`).join(', ')}`,
    {
      help: 'delete the owner of the pod, then run destroy --volumes again',
    },
  )

/** DT3307. */
export const sharedRelease = (release: string): Diagnostic =>
  warning(
    'DT3307',
    `the Helm release "${release}" was installed by something else, so only what devtool created is deleted`,
    {
      help: `\`helm uninstall ${release}\` removes the rest`,
    },
  )

/** DT3308. */
export const remade = (ids: ReadonlyArray<string>): Diagnostic =>
  error('DT3308', `recreated by something else during deletion: ${ids.slice(0, mostNamed).join(', ')}`, {
    help: 'stop whatever recreates them (an operator, a pipeline), then run destroy again',
  })

/**
 * DT3181: the environments of other repositories that a deploy made along with this one, without those in `isTaken`.
 */
export const keptDependencies = (
  environment: string,
  dependencies: EnvironmentRecord['dependencies'] = [],
  isTaken: ReadonlySet<string> = new Set(),
): ReadonlyArray<Diagnostic> => {
  const kept = dependencies.filter(({ name }) => !isTaken.has(name))
  if (kept.length === 0) return []
  const names = kept.map(({ name, repository }) => `${visible(name)} (from ${visible(repository)})`)
  return [
    warning('DT3181', `the dependencies of "${environment}" are kept, since others may need them: ${listed(names)}`, {
      help: kept.map(({ name }) => `\`devtool destroy --name ${visible(name)}\``).join('\n'),
    }),
  ]
}
