/** What a Docker daemon cannot store of an image that another builder built. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Placed } from '../text/written.ts'
import { type BuildFlags, optionCode } from './flags.ts'
import type { Image } from './image.ts'

/** The daemon imports an archive, which holds the image of one platform and no attestations. Finds DT2001, DT4031. */
export const unloadable = (
  { platforms, provenance, sbom }: Image,
  flags: BuildFlags,
  frontend: ReadonlyMap<string, string>,
): ReadonlyArray<Diagnostic> => {
  const refusal = (what: string, help: string, { at, path }: Partial<Placed> = {}): Diagnostic =>
    error(optionCode(at), `--load: the Docker daemon takes ${what} from another builder`, { at, path, help })
  const [platform] = flags.platforms.length > 0 ? [] : platforms
  return [
    ...(frontend.get('platform')?.includes(',') === true
      ? [refusal('one platform only', 'name it with --platform, or push the image', platform)]
      : []),
    ...(frontend.has('attest:provenance')
      ? [refusal('no provenance', 'leave it out (--provenance false), or push the image', provenance)]
      : []),
    ...(frontend.has('attest:sbom')
      ? [refusal('no SBOM', 'leave it out (--sbom false), or push the image', sbom)]
      : []),
  ]
}
