/** The SFTP subsystem, version 3, for scp, sftp and IDEs. It has the permissions of the container's user. */
import { constants, type Stats } from 'node:fs'
import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import ssh2, { type Attributes, type FileEntry, type SFTPWrapper } from 'ssh2'
import { longName } from './long-name.ts'

const { OPEN_MODE: mode, STATUS_CODE: status } = ssh2.utils.sftp

const statusOf: Readonly<Record<string, number>> = {
  ENOENT: status.NO_SUCH_FILE,
  ENOTDIR: status.NO_SUCH_FILE,
  EACCES: status.PERMISSION_DENIED,
  EPERM: status.PERMISSION_DENIED,
  EROFS: status.PERMISSION_DENIED,
}

const attributesOf = ({ atimeMs, gid, mode: bits, mtimeMs, size, uid }: Stats): Attributes => ({
  mode: bits,
  uid,
  gid,
  size,
  atime: Math.floor(atimeMs / 1000),
  mtime: Math.floor(mtimeMs / 1000),
})

/** How files are opened, from the flags of the protocol. */
const flagsOf = (asked: number): number => {
  const has = (flag: number): boolean => (asked & flag) !== 0
  const access = has(mode.READ)
    ? has(mode.WRITE) || has(mode.APPEND)
      ? constants.O_RDWR
      : constants.O_RDONLY
    : constants.O_WRONLY
  return (
    access |
    (has(mode.APPEND) ? constants.O_APPEND : 0) |
    (has(mode.CREAT) ? constants.O_CREAT : 0) |
    (has(mode.TRUNC) ? constants.O_TRUNC : 0) |
    (has(mode.EXCL) ? constants.O_EXCL : 0)
  )
}

/** The answer with a single path. */
const nameOnly = (filename: string) => [
  { filename, longname: filename, attrs: { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 } },
]

const isNamed = (attributes: Partial<Attributes>, name: keyof Attributes): boolean => attributes[name] !== undefined

const change = async (path: string, attributes: Partial<Attributes>): Promise<void> => {
  const { atime = 0, gid = 0, mode: bits = 0, mtime = 0, size = 0, uid = 0 } = attributes
  if (isNamed(attributes, 'size')) await fs.truncate(path, size)
  if (isNamed(attributes, 'uid')) await fs.chown(path, uid, gid)
  if (isNamed(attributes, 'mode')) await fs.chmod(path, bits & 0o7777)
  if (isNamed(attributes, 'mtime')) await fs.utimes(path, atime, mtime)
}

/** The names of a folder are sent in parts, since messages have a limited length. */
const namesInPart = 100

/** None when the file has gone since the folder was listed. */
const entryOf = async (path: string): Promise<ReadonlyArray<FileEntry>> => {
  const filename = path.slice(path.lastIndexOf('/') + 1)
  const attrs = await fs.lstat(path).then(attributesOf, () => undefined)
  return attrs === undefined ? [] : [{ filename, longname: longName(filename, attrs, Date.now()), attrs }]
}

const largestRead = 256 * 1024

type OpenFile = { readonly file: fs.FileHandle; readonly path: string }

const missing = (): never => {
  throw new Error('it is not open')
}

const isThere = (path: string): Promise<boolean> =>
  fs.lstat(path).then(
    () => true,
    () => false,
  )

/** `folder`: what relative paths start from. */
export const serveSftp = (sftp: SFTPWrapper, folder: string): void => {
  const at = (path: string): string => resolve(folder, path)
  const files = new Map<number, OpenFile>()
  const listings = new Map<number, Array<string>>()
  let opened = 0
  const open = <T>(all: Map<number, T>, one: T): Buffer => {
    opened += 1
    all.set(opened, one)
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(opened)
    return handle
  }

  let last = Promise.resolve()
  /** Requests are handled sequentially: clients rely on the order of answers. `run` answers, except with failures. */
  const answer = (id: number, run: () => Promise<void>): void => {
    last = last
      .then(run)
      .catch((cause: NodeJS.ErrnoException) =>
        sftp.status(id, statusOf[cause.code ?? ''] ?? status.FAILURE, cause.message),
      )
  }
  const done = (id: number, run: () => Promise<unknown>): void =>
    answer(id, async () => {
      await run()
      sftp.status(id, status.OK)
    })
  /** For requests with a handle, whose buffer is reused for the next message. */
  const ofFile = (handle: Buffer): (() => OpenFile) => {
    const key = handle.readUInt32BE(0)
    return () => files.get(key) ?? missing()
  }

  // Without an exit status scp fails, and ssh2 has no method for it here.
  sftp.on('end', () => {
    const { _protocol: protocol, outgoing } = Object(sftp)
    protocol.exitStatus(outgoing.id, 0)
    sftp.end()
  })
  sftp.on('close', () => {
    for (const { file } of files.values()) void file.close().catch(() => {})
  })

  sftp.on('OPEN', (id, path, flags, { mode: bits }) =>
    answer(id, async () => {
      const file = await fs.open(at(path), flagsOf(flags), bits ?? 0o666)
      sftp.handle(id, open(files, { file, path: at(path) }))
    }),
  )
  sftp.on('READ', (id, handle, offset, length) => {
    const from = ofFile(handle)
    answer(id, async () => {
      const bytes = Buffer.alloc(Math.min(length, largestRead))
      const { bytesRead } = await from().file.read(bytes, 0, bytes.length, offset)
      if (bytesRead === 0) sftp.status(id, status.EOF)
      else sftp.data(id, bytes.subarray(0, bytesRead))
    })
  })
  sftp.on('WRITE', (id, handle, offset, bytes) => {
    const [to, copy] = [ofFile(handle), Buffer.from(bytes)]
    done(id, async () => {
      const { file } = to()
      let written = 0
      while (written < copy.length) {
        const part = await file.write(copy, written, copy.length - written, offset + written)
        written += part.bytesWritten
      }
    })
  })
  sftp.on('CLOSE', (id, handle) => {
    const key = handle.readUInt32BE(0)
    done(id, async () => {
      listings.delete(key)
      const file = files.get(key)
      files.delete(key)
      await file?.file.close()
    })
  })
  sftp.on('FSTAT', (id, handle) => {
    const of = ofFile(handle)
    answer(id, async () => sftp.attrs(id, attributesOf(await of().file.stat())))
  })
  sftp.on('FSETSTAT', (id, handle, attributes) => {
    const of = ofFile(handle)
    done(id, () => change(of().path, attributes))
  })
  sftp.on('STAT', (id, path) => answer(id, async () => sftp.attrs(id, attributesOf(await fs.stat(at(path))))))
  sftp.on('LSTAT', (id, path) => answer(id, async () => sftp.attrs(id, attributesOf(await fs.lstat(at(path))))))
  sftp.on('SETSTAT', (id, path, attributes) => done(id, () => change(at(path), attributes)))
  sftp.on('OPENDIR', (id, path) =>
    answer(id, async () => {
      const names = ['.', '..', ...(await fs.readdir(at(path)))]
      const paths = names.map((name) => `${at(path)}/${name}`)
      sftp.handle(id, open(listings, paths))
    }),
  )
  sftp.on('READDIR', (id, handle) => {
    const key = handle.readUInt32BE(0)
    answer(id, async () => {
      const paths = (listings.get(key) ?? missing()).splice(0, namesInPart)
      if (paths.length === 0) return sftp.status(id, status.EOF)
      sftp.name(id, (await Promise.all(paths.map(entryOf))).flat())
    })
  })
  sftp.on('REMOVE', (id, path) => done(id, () => fs.unlink(at(path))))
  sftp.on('RMDIR', (id, path) => done(id, () => fs.rmdir(at(path))))
  sftp.on('MKDIR', (id, path, { mode: bits }) => done(id, () => fs.mkdir(at(path), bits ?? 0o777)))
  sftp.on('REALPATH', (id, path) =>
    answer(id, async () => sftp.name(id, nameOnly(await fs.realpath(at(path)).catch(() => at(path))))),
  )
  sftp.on('READLINK', (id, path) => answer(id, async () => sftp.name(id, nameOnly(await fs.readlink(at(path))))))
  // OpenSSH sends the two paths in the opposite order of the protocol; ssh2 gives the path of the link first.
  sftp.on('SYMLINK', (id, path, target) => done(id, () => fs.symlink(target, at(path))))
  // RENAME never replaces a file.
  sftp.on('RENAME', (id, from, to) =>
    done(id, async () => {
      if (await isThere(at(to))) throw new Error(`${at(to)} exists`)
      await fs.rename(at(from), at(to))
    }),
  )
}
