/**
 * Why a program that is there cannot be run: the kernel reports a script and a program alike, but the first bytes tell.
 * They are known of files that a ConfigMap holds, as devtool makes of `configs` and of mounted files.
 */
import { type Json, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { ANOTHER_INTERPRETER, C_LIBRARY, LF_LINES } from './log-files.ts'
import type { LineMeaning } from './log-rule.ts'

export type HeldFile = { readonly configMap: string; readonly key: string }

/** The path in its volume of what is at `path` in the container. */
const inVolume = (mount: Json, path: string): string | undefined => {
  const [folder = '', subPath] = [textAt(mount, 'mountPath'), textAt(mount, 'subPath')]
  if (path === folder) return subPath
  return subPath === undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}

/** `undefined`: no ConfigMap holds it. */
export const heldFile = (pod: ClusterObject, container: string, path: string): HeldFile | undefined => {
  const containers = ['containers', 'initContainers'].flatMap((list) => listAt(pod, 'spec', list))
  const spec = containers.find((each) => textAt(each, 'name') === container)
  for (const mount of listAt(spec, 'volumeMounts')) {
    const volume = listAt(pod, 'spec', 'volumes').find((each) => textAt(each, 'name') === textAt(mount, 'name'))
    const [file, configMap] = [inVolume(mount, path), textAt(volume, 'configMap', 'name')]
    if (file === undefined || configMap === undefined) continue
    const item = listAt(volume, 'configMap', 'items').find((each) => textAt(each, 'path') === file)
    return { configMap, key: textAt(item, 'key') ?? file }
  }
  return undefined
}

/** The magic number of ELF in base64. */
const ELF = 'f0VMR'

/** `undefined`: it is neither a script with a first line for the kernel nor a program. */
export const readHeld = (configMap: ClusterObject, program: string, key: string): LineMeaning | undefined => {
  if (textAt(configMap, 'binaryData', key)?.startsWith(ELF) === true) {
    return { message: `the C library that ${program} was built for is not in the image`, help: C_LIBRARY }
  }
  const [, interpreter, cr] = /^#![ \t]*(\S{1,500})[^\r\n]{0,500}(\r)?/.exec(textAt(configMap, 'data', key) ?? '') ?? []
  if (interpreter === undefined) return undefined
  return cr === undefined
    ? { message: `the interpreter of ${program}, ${interpreter}, is not in the image`, help: ANOTHER_INTERPRETER }
    : { message: `the first line of ${program} ends in CRLF`, help: `${LF_LINES}, and deploy it again` }
}
