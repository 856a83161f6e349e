/** The keys of Compose files that hints name: each amount can be written under several keys. */
import type { Origin } from '../plan/action.ts'

type Amount = 'limits.memory' | 'limits.cpu' | 'requests.memory' | 'requests.cpu'

/** The notations of each amount in Compose files. */
const spellings: Readonly<Record<Amount, string>> = {
  'limits.memory': 'mem_limit or deploy.resources.limits.memory',
  'limits.cpu': 'cpus or deploy.resources.limits.cpus',
  'requests.memory': 'mem_reservation or deploy.resources.reservations.memory',
  'requests.cpu': 'deploy.resources.reservations.cpus',
}

const isAmount = (name: string): name is Amount => Object.hasOwn(spellings, name)

/** The keys of an amount by its name in Kubernetes, such as `limits.memory`. */
export const keysOf = (name: string): string => (isAmount(name) ? spellings[name] : 'deploy.resources')

const writtenAs = (origins: ReadonlyArray<Origin>, amount: Amount): string | undefined => {
  const keyOf = (name: string): string | undefined =>
    origins.find(({ key, path }) => key !== undefined && path.endsWith(`.resources.${name}`))?.key
  // Kubernetes uses the limit as the request where none is set.
  return keyOf(amount) ?? keyOf(amount.replace('requests', 'limits'))
}

/** The hint with the keys that the files use, for services that come from files. */
export const inWordsOf = (origins: ReadonlyArray<Origin>, help: string): string => {
  let said = help
  for (const [name, keys] of Object.entries(spellings)) {
    const key = isAmount(name) && said.includes(keys) ? writtenAs(origins, name) : undefined
    if (key !== undefined) said = said.replace(keys, key)
  }
  return said
}
