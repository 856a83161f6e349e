/** Names of images: given by the user, or generated from the environment, and tagged with a hash of the content. */
import { defined } from '../object/defined.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Image } from './image.ts'
import { splitReference } from './reference.ts'

export type ImageNaming = { readonly environment: string; readonly registry?: string | undefined }

/** The name of an image for which the user gives none. */
export const generatedName = ({ environment, registry }: ImageNaming, name: string, tag: string): string => {
  const prefix = registry === undefined ? '' : `${registry.replace(/(?<!\/)\/+$/, '')}/`
  return `${prefix}${dnsLabel(environment)}-${dnsLabel(name)}:${tag}`
}

/** A reference without tag and digest, including its registry if it names one. */
export const repositoryOf = (reference: string): string => {
  const { registry, repository } = splitReference(reference)
  return registry === '' ? repository : `${registry}/${repository}`
}

/** What a pod refers to: only the digest where there is one, since tags can be moved. */
export const deployedAs = (reference: string): string => {
  const at = reference.indexOf('@')
  return at < 0 ? reference : `${repositoryOf(reference)}${reference.slice(at)}`
}

/**
 * `names`: all names to push. `primary`: the first of them, the user's if there is one. `hashed`: the name tagged with
 * the content hash; absent while the hash is unknown, as in a dry run.
 */
export type ImageNames = { readonly names: ReadonlyArray<string>; readonly primary: string; readonly hashed?: string }

export type NamingFacts = ImageNaming & {
  /** 12 hexadecimal digits; without it the tag is `dev`. */
  readonly hash?: string | undefined
  /** Additional names, from the command line. */
  readonly tags?: ReadonlyArray<string> | undefined
}

/** The user's names, and one tagged with the content hash in the repository of the first. */
export const namesOf = (image: Image, { hash, tags = [], ...naming }: NamingFacts): ImageNames => {
  const given = image.images.map(({ value }) => value)
  const further = [...(image.tags ?? []).map(({ value }) => value), ...tags]
  const generated = generatedName(naming, image.name, hash ?? 'dev')
  const primary = given[0] ?? generated
  const hashed = hash === undefined ? undefined : `${repositoryOf(primary)}:${hash}`
  const names = [primary, ...given, ...further, ...(hashed === undefined ? [] : [hashed])]
  return { names: [...new Set(names)], primary, ...defined({ hashed }) }
}

/**
 * The reference that is deployed and given to other images: tagged with the content hash, with the digest if the
 * registry has it.
 */
export const referenceOf = ({ hashed, primary }: ImageNames, digest: string | undefined): string => {
  const name = hashed ?? primary
  return digest === undefined ? name : `${name}@${digest}`
}
