/** Image references in the form registries use: `docker.io/library/` is what Docker leaves out. */

import * as E from 'fp-ts/lib/Either.js'
import { defined } from '../object/defined.ts'
import type { Fault } from '../text/fault.ts'
import { checkImage } from '../text/image.ts'

/** As written: `registry` is '' if none is named; the others are absent. */
export type ReferenceParts = {
  readonly registry: string
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

/** `host`: `docker.io` for Docker Hub, whichever of its names was written. */
export type Reference = {
  readonly host: string
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

/** The first component is a host if it has a dot or a colon, or is `localhost`. The rest is not validated. */
export const splitReference = (text: string): ReferenceParts => {
  const [bare = '', digest] = text.split('@', 2)
  const slash = bare.indexOf('/')
  const first = bare.slice(0, Math.max(slash, 0))
  const registry = /[.:]|^localhost$/.test(first) ? first : ''
  const rest = registry === '' ? bare : bare.slice(slash + 1)
  const colon = rest.lastIndexOf(':')
  return {
    registry,
    repository: colon < 0 ? rest : rest.slice(0, colon),
    ...(colon < 0 ? {} : { tag: rest.slice(colon + 1) }),
    ...defined({ digest }),
  }
}

const HUB_HOSTS: ReadonlySet<string> = new Set(['', 'docker.io', 'index.docker.io', 'registry-1.docker.io'])

/** Whether the registry is Docker Hub; '' is a reference without a registry. */
export const isDockerHub = (host: string): boolean => HUB_HOSTS.has(host.toLowerCase())

/** Without tag and digest, the tag is `latest`. */
export const parseReference = (text: string): E.Either<Fault, Reference> =>
  E.map((checked: string): Reference => {
    const { registry, repository, ...rest } = splitReference(checked)
    const isHub = isDockerHub(registry)
    return {
      host: isHub ? 'docker.io' : registry,
      repository: isHub && !repository.includes('/') ? `library/${repository}` : repository,
      ...(rest.tag === undefined && rest.digest === undefined ? { tag: 'latest' } : rest),
    }
  })(checkImage(text))

/** The full form: `docker.io/library/web:latest`. */
export const showReference = ({ digest, host, repository, tag }: Reference): string =>
  `${host}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
