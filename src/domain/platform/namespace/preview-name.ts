/** Default names of previews and their pipelines. */
import { dnsLabel } from '../../text/dns-name.ts'
import { repositoryName } from '../../text/git-config.ts'
import { repositoryIdentity } from '../../text/public-url.ts'
import { sha256 } from '../../text/sha256.ts'
import { nameFault } from './name.ts'

const MOST_READABLE = 40

/** `owner`: for a personal preview, so that everybody has their own of the same branch. */
export type PreviewSubject = {
  readonly repository: string
  readonly branch?: string | undefined
  readonly owner?: string | undefined
}

/**
 * Readable, and made distinct by a hash. Law: the same subject always has the same name, regardless of the protocol by
 * which git reaches the repository, and it is an allowed name of a namespace.
 */
export const previewNameOf = ({ branch = '', owner = '', repository }: PreviewSubject): string => {
  const words = [repositoryName(repository) ?? '', branch].filter((word) => word !== '').join('-')
  const slug = dnsLabel(words, 63).slice(0, MOST_READABLE).replace(/-$/, '')
  const hash = sha256([repositoryIdentity(repository), branch, owner].join('\0')).slice(0, 6)
  const name = `${slug}-${hash}`
  return nameFault(name) === undefined ? name : `p-${name}`
}

/** The name of the environment that a preview deploys. */
export const pipelineNameOf = (repository: string): string => dnsLabel(repositoryName(repository) ?? '', MOST_READABLE)
