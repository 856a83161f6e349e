/** `dependencies` and `external`: other repositories and addresses that belong to the environment. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts'
import { defined } from '../../object/defined.ts'
import { valuesOf } from '../../shape/named-values.ts'
import { optional } from '../../shape/parse.ts'
import type { Located, ShapeMember, ValueOf } from '../../shape/shape.ts'
import { repositoryName } from '../../text/git-config.ts'
import { pathWritten } from '../../text/path.ts'
import { publicUrl } from '../../text/public-url.ts'
import type { NamedValue, Placed } from '../../text/written.ts'
import type { Variables } from '../../yaml/interpolate.ts'
import type * as commandFields from '../fields/commands.ts'
import type { external } from '../fields/document.ts'
import type { ExternalEndpoints, RepositoryDependency } from '../model.ts'
import { incomplete, legalNames, readTimeout, repeated } from './parts.ts'

type Raw = ValueOf<typeof commandFields.dependencies>
type DependencyItem = Raw['value'][number]
type RawMember = Extract<DependencyItem, ShapeMember<unknown>>

const noRepository = (message: string, { at, path }: Placed): Checked<never> =>
  C.fail(error('DT1507', message, { at, path, help: 'write https://host/owner/name or git@host:owner/name' }))

const reserved: ReadonlySet<string> = new Set(
  ['NAMESPACE', 'CONTEXT', 'TOKEN', 'URL', 'NAME'].map((name) => `DEVTOOL_${name}`),
)

const reservedNames = (variables: ReadonlyArray<NamedValue>): ReadonlyArray<Diagnostic> =>
  variables
    .filter(({ name }) => reserved.has(name))
    .map(({ at, name, path }) =>
      error('DT1506', `${name} cannot be passed to a dependency`, { at, path, help: 'remove it, or use another name' }),
    )

/**
 * A query may hold a token, and git passes it to its child processes, whose arguments everybody on the machine can
 * read.
 */
const hasQuery = (address: string): boolean => /^https?:[^?#]*\?/i.test(address)
const queryIn = (placed: Placed): Checked<never> => noRepository('the URL of a git repository has no query', placed)

/** An item of the list is named after its repository. */
const ofUrl = ({ at, path, value }: Located<string>): Checked<RepositoryDependency> => {
  if (hasQuery(value)) return queryIn({ at, path })
  const name = repositoryName(value)
  return name === undefined
    ? noRepository(`"${publicUrl(value)}" does not end in the name of a repository`, { at, path })
    : C.ok({ name, repository: value, variables: [], wait: false, at, path })
}

const ofMember =
  (variables: Variables) =>
  ({ key, value: { at: whole, path, value } }: RawMember): Checked<RepositoryDependency> => {
    const { branch, manifest, repository, timeout, wait } = value
    if (repository === undefined || repository.value.trim() === '') {
      return noRepository('a dependency needs the URL of a git repository', { at: whole, path })
    }
    if (hasQuery(repository.value)) return queryIn(repository)
    const parts = C.struct({
      variables: C.andThen((read: ReadonlyArray<NamedValue>) => C.note(read, reservedNames(read)))(
        valuesOf(variables, value.variables),
      ),
      timeoutMs: optional(timeout, readTimeout),
    })
    return C.map(
      (read: C.ValueIn<typeof parts>): RepositoryDependency => ({
        name: key.text,
        repository: repository.value,
        ...defined({ file: manifest, branch }),
        variables: read.variables ?? [],
        ...defined({ timeoutMs: read.timeoutMs }),
        wait: wait?.value ?? false,
        at: key,
        path,
      }),
    )(parts)
  }

const twice = (dependencies: ReadonlyArray<RepositoryDependency>): ReadonlyArray<Diagnostic> =>
  repeated(dependencies, ({ name }) => name).map(({ at, name, path }) =>
    error('DT1504', `two dependencies have the name ${name}`, {
      at,
      path,
      help: 'write a mapping with a name for each',
    }),
  )

const isThisMachine = /^\w+:\/\/(?:[^/]*@)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i

/** DT3171: files of such a repository can be changed in transit. */
const unencrypted = (dependencies: ReadonlyArray<RepositoryDependency>): ReadonlyArray<Diagnostic> =>
  dependencies
    .filter(({ repository }) => /^(?:http|git):\/\//i.test(repository) && !isThisMachine.test(repository))
    .map(({ at, path, repository }) =>
      warning('DT3171', `the repository ${publicUrl(repository)} is fetched without encryption`, {
        at,
        path,
        help: 'anyone on the network path can change what it deploys: write https://host/owner/name or git@host:owner/name',
      }),
    )

/** Finds DT1019, DT1504, DT1506, DT1507, DT3171. */
export const readDependencies = (
  raw: Raw | undefined,
  variables: Variables,
): Checked<ReadonlyArray<RepositoryDependency>> => {
  const read = C.each((item: DependencyItem) => ('key' in item ? ofMember(variables)(item) : ofUrl(item)))(
    raw?.value ?? [],
  )
  const members = (raw?.value ?? []).flatMap((item) => ('key' in item ? [item] : []))
  return C.andThen((dependencies: ReadonlyArray<RepositoryDependency>) => {
    const named = legalNames('dependencies', members)
    const names = C.valueOf(named)
    const legal = dependencies.map((one) => ({ ...one, name: names?.get(one.path) ?? one.name }))
    return C.note(legal, [
      ...C.findings(named),
      ...(members.length === 0 ? twice(dependencies) : []),
      ...unencrypted(legal),
    ])
  })(read)
}

type RawExternal = ValueOf<typeof external>['value'][number]
type RawEndpoint = NonNullable<RawExternal['value']['value']['endpoints']>['value'][number]
type Address = ExternalEndpoints['endpoints'][number]

const readAddress = ({ at, path, value: { name, url } }: RawEndpoint): Checked<Address> =>
  name === undefined || name.value === ''
    ? C.fail(incomplete('an address needs a name', { at, path }))
    : C.ok({ name: name.value, ...defined({ url: url?.value }), at, path })

/** Finds DT1504, DT1511. */
export const readExternal = (raw: ValueOf<typeof external> | undefined): Checked<ReadonlyArray<ExternalEndpoints>> =>
  C.each(({ key, value: { at: whole, path, value } }: RawExternal) => {
    const { endpoints, icon, notes } = value
    const named = C.each(readAddress)(endpoints?.value ?? [])
    const found = [
      ...(endpoints === undefined || endpoints.value.length === 0
        ? [incomplete('there are no addresses', { at: whole, path }, 'list them under endpoints')]
        : []),
      ...repeated(C.valueOf(named) ?? [], ({ name }) => name).map(({ at, name, path: own }) =>
        error('DT1504', `two addresses have the name "${name}"`, { at, path: own, help: 'rename one of them' }),
      ),
    ]
    const notesFile = notes === undefined ? undefined : { ...notes, value: pathWritten(notes.at, notes.value) }
    return C.andThen((addresses: ReadonlyArray<Address>) =>
      C.note<ExternalEndpoints>(
        {
          name: key.text,
          ...defined({ icon, notes: notesFile }),
          endpoints: addresses,
          at: key,
          path,
        },
        found,
      ),
    )(named)
  })(raw?.value ?? [])
