/** File systems that behave otherwise than that of the machine that runs the tests, in this process. */
import nodeFs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

type FsFunctions = Readonly<Partial<Record<keyof typeof nodeFs, (...asked: never) => unknown>>>

const assign = (functions: FsFunctions): void => {
  Object.assign(nodeFs, functions)
  syncBuiltinESMExports()
}

/** Runs with these functions instead of those of `node:fs`. */
export const withFs = async <A>(functions: FsFunctions, run: () => A | Promise<A>): Promise<A> => {
  const real: FsFunctions = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(nodeFs, name)]))
  assign(functions)
  try {
    return await run()
  } finally {
    assign(real)
  }
}

/** `stored`: the name that a file gets when it is created with this one. */
export const renamingFs = (stored: (name: string) => string): FsFunctions => {
  const { writeFileSync } = nodeFs
  return {
    writeFileSync: (path: string | number, ...rest: [string]) =>
      writeFileSync(typeof path === 'number' ? path : join(dirname(path), stored(basename(path))), ...rest),
  }
}

const isThere = (path: string): boolean => {
  const name = basename(path).toLowerCase()
  return nodeFs.readdirSync(dirname(path)).some((one) => one.toLowerCase() === name)
}

/** Finds files by names that differ in case. */
export const caseIgnoringFs: FsFunctions = { existsSync: isThere }
