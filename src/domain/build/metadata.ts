/** What was built, in the words of other builders, for programs that read them. */
import * as t from 'io-ts'
import { defined } from '../object/defined.ts'
import { printJson } from '../print/json.ts'

const ImageMetadata = t.partial({
  'containerimage.digest': t.string,
  'containerimage.config.digest': t.string,
  'image.name': t.string,
})

type Described = {
  readonly names: ReadonlyArray<string>
  readonly digest?: string | undefined
  readonly configDigest?: string | undefined
}

/** An image with attestations has several configurations: then the digest of the index is its id. */
export const writtenImageId = ({ configDigest, digest }: Described): string | undefined => configDigest ?? digest

/** The text of `--metadata-file`. */
export const metadataOf = ({ configDigest, digest, names }: Described): string =>
  printJson(
    ImageMetadata.encode(
      defined({
        'containerimage.digest': digest,
        'containerimage.config.digest': configDigest,
        ...(names.length === 0 ? {} : { 'image.name': names.join(',') }),
      }),
    ),
  )
