/** Everything a use case may ask of the world; each takes the slice that it needs. */
import type { FileReader, FileWriter } from './files.ts'

export type Ports = { readonly files: FileReader; readonly writer: FileWriter }
