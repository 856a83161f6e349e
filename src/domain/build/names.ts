/** What images are called: by the user, or after the environment, and by what they are made of. */
import { defined } from '../object/defined.ts'
import { dnsLabel } from '../text/dns-name.ts'
import type { Image } from './image.ts'
import { splitReference } from './reference.ts'

export type ImageNaming = { readonly environment: string; readonly registry?: string | undefined }

/** Without a name of the user. */
export const generatedName = ({ environment, registry }: ImageNaming, name: string, tag: string): string => {
  const prefix = registry === undefined ? '' : `${registry.replace(/\/+$/, '')}/`
  return `${prefix}${dnsLabel(environment)}-${dnsLabel(name)}:${tag}`
}

/** A reference without tag and digest, with its registry where it names one. */
export const repositoryOf = (reference: string): string => {
  const { registry, repository } = splitReference(reference)
  return registry === '' ? repository : `${registry}/${repository}`
}

/** What a pod names: the digest alone where there is one, since what a tag stands for may change. */
export const deployedAs = (reference: string): string => {
  const at = reference.indexOf('@')
  return at < 0 ? reference : `${repositoryOf(reference)}${reference.slice(at)}`
}

/**
 * `names`: all to push to. `primary`: the first of them, that of the user where there is one. `hashed`: the one that tells
 * what is in the image; absent while nobody knows, in a dry run.
 */
export type ImageNames = { readonly names: ReadonlyArray<string>; readonly primary: string; readonly hashed?: string }

export type NamingFacts = ImageNaming & {
  /** 12 hexadecimal digits; without them the tag is `dev`. */
  readonly hash?: string | undefined
  /** Further names, from the command line. */
  readonly tags?: ReadonlyArray<string> | undefined
}

/** Names as the user writes them, and one by content in the repository of the first. */
export const namesOf = (image: Image, { hash, tags = [], ...naming }: NamingFacts): ImageNames => {
  const given = image.images.map(({ value }) => value)
  const further = [...(image.tags ?? []).map(({ value }) => value), ...tags]
  const generated = generatedName(naming, image.name, hash ?? 'dev')
  const primary = given[0] ?? generated
  const hashed = hash === undefined ? undefined : `${repositoryOf(primary)}:${hash}`
  const names = [primary, ...given, ...further, ...(hashed === undefined ? [] : [hashed])]
  return { names: [...new Set(names)], primary, ...defined({ hashed }) }
}

/** As it is deployed and given to other images: by the name that tells its content, with the digest where a registry has it. */
export const referenceOf = ({ hashed, primary }: ImageNames, digest: string | undefined): string => {
  const name = hashed ?? primary
  return digest === undefined ? name : `${name}@${digest}`
}
