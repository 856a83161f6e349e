/** Which other environments `destroy --dependencies` takes along. */
import type { EnvironmentRecord } from '../environment/record.ts'
import { repositoryIdentity } from '../text/public-url.ts'

type Records = ReadonlyArray<EnvironmentRecord>

/** What a record depends on: environments with the recorded name that come from the recorded repository. */
const dependenciesOf = ({ dependencies = [] }: EnvironmentRecord, records: Records): Records =>
  records.filter(({ environment, source }) =>
    dependencies.some(
      ({ name, repository }) =>
        name === environment &&
        source.repository !== undefined &&
        repositoryIdentity(source.repository) === repositoryIdentity(repository),
    ),
  )

const names = (record: EnvironmentRecord, environment: string): boolean =>
  record.dependencies?.some(({ name }) => name === environment) === true

const reachable = (from: Records, records: Records): Records => {
  const seen = new Set(from)
  // `seen` grows during this loop.
  for (const one of seen) for (const next of dependenciesOf(one, records)) seen.add(next)
  return [...seen]
}

/**
 * The other environments that nothing depends on any more. Law: nothing that stays depends on a name that is taken,
 * whichever repository it names.
 */
const unneeded = (taken: Records, own: string, records: Records): Records => {
  const staying = records.filter((one) => one.environment !== own && !taken.includes(one))
  const left = taken.filter(({ environment }) => !staying.some((one) => names(one, environment)))
  return left.length === taken.length ? left : unneeded(left, own, records)
}

/** Dependents come before what they depend on; a cycle is entered at its first member. */
const dependentsFirst = (records: Records): Records => {
  const next = records.find(
    ({ environment }) => !records.some((one) => one.environment !== environment && names(one, environment)),
  )
  const first = next ?? records[0]
  return first === undefined ? [] : [first, ...dependentsFirst(records.filter((one) => one !== first))]
}

/** In the order in which they are destroyed, after `own`. `records`: all of the namespace. */
export const takenAlong = (own: string, records: Records): Records => {
  const from = records.filter(({ environment }) => environment === own)
  const others = reachable(from, records).filter(({ environment }) => environment !== own)
  return dependentsFirst(unneeded(others, own, records))
}
