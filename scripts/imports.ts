/** The imports of each file, read from its syntax tree: lazy imports, type imports and re-exports included. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { type Program, parseSync, Visitor } from 'oxc-parser'

export type Source = { readonly file: string; readonly text: string; readonly program: Program }
/** `from` is undefined when the module name is not a literal. */
export type Import = {
  readonly at: number
  readonly from: string | undefined
  readonly isLazy: boolean
  /** Only types are imported, so nothing is loaded when the file runs. */
  readonly isType: boolean
}

const untracked: ReadonlyArray<string> = ['dist', 'release', 'site/dist']

/** All files below `folder`, in order. */
export const listFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && !untracked.includes(join(folder, name)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })

export const parse = (file: string): Source => {
  const text = readFileSync(file, 'utf8')
  return { file, text, program: parseSync(file, text).program }
}

export const importsOf = ({ program }: Source): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const literal = (node: { readonly type: string; readonly value?: unknown } | undefined): string | undefined =>
    node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
  new Visitor({
    ImportDeclaration: ({ importKind, source, start }) =>
      found.push({ at: start, from: source.value, isLazy: false, isType: importKind === 'type' }),
    ExportAllDeclaration: ({ exportKind, source, start }) =>
      found.push({ at: start, from: source.value, isLazy: false, isType: exportKind === 'type' }),
    ExportNamedDeclaration: ({ exportKind, source, start }) => {
      if (source) found.push({ at: start, from: source.value, isLazy: false, isType: exportKind === 'type' })
    },
    TSImportType: (node) => found.push({ at: node.start, from: literal(node.source), isLazy: false, isType: true }),
    ImportExpression: (node) => found.push({ at: node.start, from: literal(node.source), isLazy: true, isType: false }),
    CallExpression: ({ arguments: [first], callee, start }) => {
      if (callee.type === 'Identifier' && callee.name === 'require')
        found.push({ at: start, from: literal(first), isLazy: true, isType: false })
    },
  }).visit(program)
  return found
}

/** An import between two files; both paths are relative to the root. */
export type Arrow = { readonly from: string; readonly to: string; readonly at: number; readonly isLazy: boolean }

/** The imports between files of this project. */
export const arrowsOf = (source: Source): ReadonlyArray<Arrow> =>
  importsOf(source).flatMap(({ at, from, isLazy }) =>
    from?.startsWith('.') === true ? [{ from: source.file, to: join(dirname(source.file), from), at, isLazy }] : [],
  )

export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
