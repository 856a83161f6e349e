/** Checks of an executable that cannot be run here: its format, its processor, its blob, and that no signature is wrong. */
import { elfBlob, machOBlob, machOIsSigned, peBlob, peHead, peIsSigned } from './formats.ts'
import { blobName, fuse } from './single.ts'
import type { Target } from './targets.ts'

type Format = {
  readonly magic: number
  readonly machineAt: (file: Buffer) => number
  readonly machine: number
  readonly blob: (file: Buffer, name: string) => Buffer | undefined
  readonly isSigned: (file: Buffer) => boolean
}

const elf = (machine: number): Format => ({
  magic: 0x464c457f,
  machineAt: () => 18,
  machine,
  blob: elfBlob,
  isSigned: () => false,
})
const machO = (machine: number): Format => ({
  magic: 0xfeedfacf,
  machineAt: () => 4,
  machine,
  blob: machOBlob,
  isSigned: machOIsSigned,
})
const pe = (machine: number): Format => ({
  magic: 0x00905a4d,
  machineAt: (file) => peHead(file) + 4,
  machine,
  blob: peBlob,
  isSigned: peIsSigned,
})

const formats: Readonly<Record<string, Format>> = {
  'linux-x64': elf(62),
  'linux-arm64': elf(183),
  'darwin-arm64': machO(0x000c),
  'darwin-x64': machO(0x0007),
  'win32-x64': pe(0x8664),
}

/** The first bytes of a blob, which Node compares. */
const blobMagic = 0x0143da20

/** None when the file is a program for this platform with a blob that Node will find. */
export const headerFindings = ({ name }: Target, file: Buffer): ReadonlyArray<string> => {
  const format = formats[name]
  if (format === undefined) return [`nobody knows what an executable of ${name} looks like`]
  if (file.readUInt32LE(0) !== format.magic) return ['it has another format']
  return [
    ...(file.readUInt16LE(format.machineAt(file)) === format.machine ? [] : ['it is for another processor']),
    ...(file.includes(`${fuse}:1`) ? [] : ['Node will not look for a blob in it']),
    ...(format.blob(file, blobName)?.readUInt32LE(0) === blobMagic ? [] : ['it has no blob']),
    ...(format.isSigned(file) ? ['it has the signature of another content'] : []),
  ]
}
