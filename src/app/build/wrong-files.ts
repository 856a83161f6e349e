/** Checks the local files that a build reads, before connecting to a builder. */
import type { Image } from '../../domain/build/image.ts'
import type { Solve } from '../../domain/build/solve.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { bounded } from '../concurrency/bounded.ts'
import type { BuildPorts } from './request.ts'

type FilePorts = Pick<BuildPorts, 'files'>

/** Checked here, since a builder does not report a missing secret or key that no step uses. */
const missingFiles = async (
  { files }: FilePorts,
  image: Image,
  { secrets, ssh }: Solve,
): Promise<ReadonlyArray<Diagnostic>> => {
  const named = [
    ...secrets.flatMap(({ id, source }) => (source._tag === 'File' ? [{ id, file: source.file, what: 'secret' }] : [])),
    ...ssh.flatMap(({ id, paths }) => paths.map((file) => ({ id, file, what: 'SSH key' }))),
  ]
  const found = await bounded(named, async ({ file, id, what }) => {
    if ((await files.kind(file)()) !== 'Missing') return []
    const written =
      what === 'secret' ? image.secrets.find((secret) => secret.id === id) : image.ssh.find(({ name }) => name === id)
    const place = written === undefined ? {} : { at: written.at, path: written.path }
    return [error('DT4015', `the file ${file} of the ${what} "${id}" does not exist`, place)]
  })
  return found.flat()
}

/** DT1008: where reading is confined to the project folder, nothing outside of it is sent either. */
const outsideFolders = async (
  { files }: FilePorts,
  { at, path: place }: Image,
  { root, secrets, served, ssh }: Solve,
): Promise<ReadonlyArray<Diagnostic>> => {
  if (root === undefined) return []
  const paths = [
    ...[...served.values()].flatMap((one) => (one._tag === 'Folder' ? [one.path] : [])),
    ...secrets.flatMap(({ source }) => (source._tag === 'File' ? [source.file] : [])),
    ...ssh.flatMap((key) => key.paths),
  ]
  const found = await bounded([...new Set(paths)], async (path) => {
    if (await files.isInside(path, root)()) return []
    const message = `${path} is outside the project folder`
    return [
      error('DT1008', message, { at, path: place, help: 'DEVTOOL_CONFINED is set: move it into the project folder' }),
    ]
  })
  return found.flat()
}

export const wrongFiles = async (ports: FilePorts, image: Image, solve: Solve): Promise<ReadonlyArray<Diagnostic>> => [
  ...(await outsideFolders(ports, image, solve)),
  ...(await missingFiles(ports, image, solve)),
]
