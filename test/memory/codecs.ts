/** The port `Codecs` with the portable functions instead of Node's native code. */
import { portableGzip } from '../../src/domain/environment/gunzip.ts'
import { sha256 } from '../../src/domain/text/sha256.ts'
import type { Machine } from '../../src/ports/machine.ts'

export const memoryCodecs: Machine['codecs'] = () => Promise.resolve({ gzip: portableGzip, sha256 })
