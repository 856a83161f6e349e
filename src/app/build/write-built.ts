/** `--iidfile` and `--metadata-file`: what was built, for other programs. */
import { metadataOf, writtenImageId } from '../../domain/build/metadata.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { leftsOf } from '../../domain/object/lefts.ts'
import type { Ports } from '../../ports/ports.ts'
import type { BuiltOne } from './request.ts'

/** Files that get the digests as JSON, and the id. */
export type BuiltFiles = { readonly metadata?: string | undefined; readonly id?: string | undefined }

const noId = error('DT2001', '--iidfile: an image that is only built, and kept nowhere, has no id', {
  help: 'name it with --tag, so that it is pushed, or build it with the Docker daemon',
})

/** Finds DT2001, DT2006. */
export const writeBuilt = async (
  { writer }: Pick<Ports, 'writer'>,
  built: BuiltOne,
  { id: idFile, metadata }: BuiltFiles,
): Promise<ReadonlyArray<Diagnostic>> => {
  const id = writtenImageId(built)
  if (idFile !== undefined && id === undefined) return [noId]
  const writes = [
    ...(idFile === undefined || id === undefined ? [] : [writer.replace(idFile, id)]),
    ...(metadata === undefined ? [] : [writer.replace(metadata, metadataOf(built))]),
  ]
  return leftsOf(await Promise.all(writes.map((write) => write())))
}
