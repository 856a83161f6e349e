/**
 * Checks what the linter cannot, on the syntax tree of every file below the current folder: where things belong, that
 * lazy imports respect the layers, that ports contain no code, that the domain never throws, that patterns take linear
 * time, that no test is left out.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path/posix'
import { type CallExpression, type NewExpression, type Program, Visitor } from 'oxc-parser'
import { actionTags, comparedActions } from './actions.ts'
import { arrowsOf, importsOf, lineOf, listFiles, parse, type Source } from './imports.ts'
import { isSlow } from './regexes.ts'
import { circlesIn, foldersOf, roomsOf } from './rooms.ts'
import { signalFile, strayListeners } from './signals.ts'
import { testPattern } from './test-files.ts'

type Finding = { readonly file: string; readonly line: number; readonly message: string }
type Check = (source: Source) => ReadonlyArray<Finding>

const folders: Readonly<Record<string, ReadonlyArray<string>>> = {
  '.': ['docs', 'examples', 'integrations', 'scripts', 'site', 'src', 'test'],
  src: ['adapters', 'agent', 'app', 'cli', 'domain', 'ports', 'server', 'web'],
  test: 'corpus cli contract e2e golden memory properties release support types unit vectors'.split(' '),
}
const looseFiles: Readonly<Record<string, ReadonlyArray<string>>> = { src: ['index.ts'], test: [], 'src/adapters': [] }

const layers: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: ['domain'],
  ports: ['domain', 'ports'],
  app: ['domain', 'ports', 'app'],
  adapters: ['domain', 'ports'],
  agent: ['domain', 'agent', 'adapters/process', 'adapters/ssh', 'adapters/sync', 'adapters/system'],
  cli: ['domain', 'ports', 'app', 'cli'],
  server: ['domain', 'ports', 'app', 'adapters', 'server'],
  web: ['domain', 'web'],
  'index.ts': ['domain', 'ports', 'app'],
}

const at = ({ file, text }: Source, offset: number, message: string): Finding => ({
  file,
  line: lineOf(text, offset),
  message,
})

const whole = (file: string, message: string): Finding => ({ file, line: 1, message })

const placeFindings = (files: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  files.flatMap((file) => {
    const isTest = /\.(?:test|spec)\.[cm]?[jt]sx?$/i.test(file)
    const strays = Object.entries(folders).flatMap(([folder, known]) => {
      const [first = '', ...rest] = (folder === '.' ? file : file.slice(folder.length + 1)).split('/')
      const isBelow = folder === '.' || file.startsWith(`${folder}/`)
      if (!isBelow || rest.length === 0 || known.includes(first)) return []
      return [whole(file, `no folder "${first}" is agreed on in ${folder}; there are ${known.join(', ')}`)]
    })
    const loose = looseFiles[dirname(file)]
    return [
      ...strays,
      ...(loose === undefined || loose.includes(basename(file))
        ? []
        : [whole(file, `no file belongs directly into ${dirname(file)}`)]),
      ...(isTest && !file.startsWith('test/') ? [whole(file, 'tests live below test/')] : []),
      ...(isTest && !testPattern.test(file) ? [whole(file, `the runner takes only ${testPattern.source}`)] : []),
    ]
  })

/** Adapters that other adapters are built on. */
const sharedAdapters: ReadonlySet<string> = new Set(['docker', 'http', 'paths', 'process', 'websocket', 'x509'])

/** Why `file` may not import `target`; both paths are relative to the root. */
const whyNot = (file: string, target: string): string | undefined => {
  const [, layer = '', name] = file.split('/')
  const [top, other = '', otherName] = target.split('/')
  if (top !== 'src') return `src imports nothing from ${top}`
  if (layer === 'adapters' && other === 'adapters') {
    const isAllowed = name === otherName || (sharedAdapters.has(otherName ?? '') && name !== 'http')
    return isAllowed
      ? undefined
      : 'an adapter does not import another adapter but docker, http, paths, process, websocket and x509'
  }
  if (file === 'src/cli/wire.ts' && other === 'adapters') return undefined
  const isBelow = (room: string): boolean => `${target}/`.startsWith(`src/${room}/`)
  return layers[layer]?.some(isBelow) === true ? undefined : `${layer} does not import ${other}`
}

/** It loads code that few projects need, which must not be loaded at every start. */
const lazyInApp: ReadonlySet<string> = new Set(['src/app/project/project.ts', 'src/app/reports/reports.ts'])

/** It lists the folder of commands; the build replaces it. */
const readsFolder = 'src/cli/installed.ts'

const directionFindings: Check = (source) => {
  if (!source.file.startsWith('src/')) return []
  const [, layer] = source.file.split('/')
  return importsOf(source).flatMap(({ at: offset, from, isLazy }) => {
    if (from === undefined && source.file === readsFolder) return []
    if (from === undefined) return [at(source, offset, 'the module of an import is a literal')]
    if (isLazy && layer !== 'cli' && layer !== 'adapters' && layer !== 'web' && !lazyInApp.has(source.file))
      return [at(source, offset, 'only cli, adapters and web import lazily')]
    if (!from.startsWith('.')) return []
    const problem = whyNot(source.file, normalize(join(dirname(source.file), from)))
    return problem === undefined ? [] : [at(source, offset, problem)]
  })
}

const isTypeOnly = (node: Program['body'][number]): boolean => {
  if (node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration') return true
  if (node.type === 'ImportDeclaration') return node.importKind === 'type'
  const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration'
  return isExport && node.exportKind === 'type'
}

const portFindings: Check = (source) =>
  source.file.startsWith('src/ports/')
    ? source.program.body
        .filter((node) => !isTypeOnly(node))
        .map((node) => at(source, node.start, 'a port is types only, it compiles to nothing'))
    : []

const domainFindings: Check = (source) => {
  if (!source.file.startsWith('src/domain/')) return []
  const found: Array<Finding> = []
  const refuse = (message: string) => (node: { readonly start: number }) => found.push(at(source, node.start, message))
  const refuseAsync = (node: { readonly async: boolean; readonly start: number }): void => {
    if (node.async) refuse('the domain is not async')(node)
  }
  new Visitor({
    ThrowStatement: refuse('the domain does not throw; a failure is a value'),
    AwaitExpression: refuse('the domain does not await'),
    ArrowFunctionExpression: refuseAsync,
    FunctionDeclaration: refuseAsync,
    FunctionExpression: refuseAsync,
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Promise')
        refuse('the domain makes no promise')(node)
    },
  }).visit(source.program)
  return found
}

/** What may fail and takes time is a TaskEither: it starts when it is called, and composes. */
const promiseFindings: Check = (source) => {
  if (!source.file.startsWith('src/')) return []
  const found: Array<Finding> = []
  new Visitor({
    TSTypeReference: ({ start, typeArguments, typeName }) => {
      const [of] = typeArguments?.params ?? []
      const isEither = of !== undefined && /^(?:E\.)?Either</.test(source.text.slice(of.start, of.end))
      if (typeName.type === 'Identifier' && typeName.name === 'Promise' && isEither)
        found.push(at(source, start, 'a promise of an Either is a TaskEither'))
    },
  }).visit(source.program)
  return found
}

type Span = { readonly type: string; readonly start: number; readonly end: number }

const isEmpty = (node: Span): boolean => node.type === 'ObjectExpression' && node.end - node.start === 2

/** `defined` leaves out what is undefined. */
const optionalFindings: Check = (source) => {
  if (!source.file.startsWith('src/')) return []
  const found: Array<Finding> = []
  new Visitor({
    SpreadElement: ({ argument, start }) => {
      const inner = argument.type === 'ParenthesizedExpression' ? argument.expression : argument
      if (inner.type !== 'ConditionalExpression') return
      const { alternate, consequent, test } = inner
      const [, sign] = /^[^&|]*([!=])== undefined$/.exec(source.text.slice(test.start, test.end)) ?? []
      if (sign !== undefined && isEmpty(sign === '=' ? consequent : alternate))
        found.push(at(source, start, 'members that may be undefined: use defined() and ifDefined()'))
    },
  }).visit(source.program)
  return found
}

/**
 * Spreading a hundred thousand items as arguments overflows the stack; copying a list for each of its items takes
 * minutes.
 */
const spreadFindings: Check = (source) => {
  if (!source.file.startsWith('src/')) return []
  const found: Array<Finding> = []
  new Visitor({
    CallExpression: ({ arguments: given, callee, start }) => {
      const isMethod = callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      const name = isMethod && callee.property.type === 'Identifier' ? callee.property.name : ''
      const isMany = ['push', 'unshift', 'splice', 'concat', 'max', 'min', 'fromCharCode'].includes(name)
      if (isMany && given.some(({ type }) => type === 'SpreadElement'))
        found.push(at(source, start, `${name}() of a spread array overflows the stack: use a loop`))
      const [, list] = name === 'set' ? given : []
      const [copied] = list?.type === 'ArrayExpression' ? list.elements : []
      if (copied?.type === 'SpreadElement' && source.text.slice(copied.start, copied.end).includes('.get('))
        found.push(at(source, start, 'a list copied for each item takes quadratic time: use grouped()'))
    },
  }).visit(source.program)
  return found
}

/** Text from outside must not stop the program, and a pattern that is assembled at run time cannot be checked. */
const patternFindings: Check = (source) => {
  if (!source.file.startsWith('src/')) return []
  const found: Array<Finding> = []
  const refuse = (start: number, message: string) => found.push(at(source, start, message))
  const constructed = ({ callee, start }: CallExpression | NewExpression): void => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') refuse(start, 'patterns are literals')
  }
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return
      const { flags, pattern } = node.regex
      if (isSlow(pattern, flags)) refuse(node.start, `/${pattern}/ takes more than linear time on some text`)
    },
    CallExpression: constructed,
    NewExpression: constructed,
  }).visit(source.program)
  return found
}

/** Where keys of labels and annotations are defined. */
const labelFile = 'src/domain/k8s/labels.ts'
const labelKey = /^(?:dev\.devtool|app\.kubernetes\.io)\/[\w-]*(?:=|$)/

const labelFindings: Check = (source) => {
  if (!source.file.startsWith('src/') || source.file === labelFile) return []
  const found: Array<Finding> = []
  const look = (text: unknown, start: number): void => {
    if (typeof text === 'string' && labelKey.test(text))
      found.push(at(source, start, `${text} is named in ${labelFile}`))
  }
  new Visitor({
    Literal: ({ start, value }) => look(value, start),
    TemplateElement: ({ start, value }) => look(value.cooked, start),
  }).visit(source.program)
  return found
}

const signalFindings: Check = (source) =>
  strayListeners(source).map((offset) => at(source, offset, `signals are handled in ${signalFile}`))

const isTestRun = (source: Source): boolean => {
  const last = source.program.body.at(-1)
  return last !== undefined && source.text.slice(last.start, last.end).replace(/;$/, '') === 'test.run()'
}

/** It creates tests for scenarios that run in parallel, and counts as skipped those that the cluster cannot run. */
const scenarioHarness = 'test/support/e2e/scenarios.ts'

const testFindings: Check = (source) => {
  if (!source.file.startsWith('test/') || source.file === scenarioHarness) return []
  const found: Array<Finding> = []
  const isRun = testPattern.test(source.file)
  if (isRun && !isTestRun(source)) {
    found.push(at(source, source.program.body.at(-1)?.start ?? 0, 'a test file ends with test.run()'))
  }
  const runner = importsOf(source).find(({ from }) => from === 'uvu')
  if (!isRun && runner !== undefined)
    found.push(at(source, runner.at, `tests are in files named ${testPattern.source}`))
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      const isSwitch = property.type === 'Identifier' && (property.name === 'only' || property.name === 'skip')
      if (isSwitch && object.type === 'Identifier') found.push(at(source, start, `no .${property.name} in tests`))
    },
  }).visit(source.program)
  return found
}

/** Other code uses `fold`, `match`, `chain`, or a pipe. */
const mostEarlyReturns = 120
const eitherFindings = (sources: ReadonlyArray<Source>): ReadonlyArray<Finding> => {
  const uses = sources
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap((source) => [...source.text.matchAll(/\bE\.isLeft\(/g)].map(({ index }) => ({ source, index })))
  const [first] = uses.slice(mostEarlyReturns)
  return first === undefined
    ? []
    : [at(first.source, first.index, `${uses.length} uses of E.isLeft, of at most ${mostEarlyReturns}: fold or chain`)]
}

/** Rooms of every folder of the source; type imports and lazy imports count as well. */
const circleFindings = (sources: ReadonlyArray<Source>): ReadonlyArray<Finding> => {
  const own = new Map(sources.filter(({ file }) => file.startsWith('src/')).map((source) => [source.file, source]))
  const files = [...own.keys()]
  const arrows = [...own.values()].flatMap(arrowsOf)
  return foldersOf(files).flatMap((folder) =>
    circlesIn(folder, roomsOf(folder, files, arrows)).flatMap(({ arrow, message }) => {
      const source = own.get(arrow.from)
      return source === undefined ? [] : [at(source, arrow.at, message)]
    }),
  )
}

/**
 * An exported type name is unique in the tree, so that a search finds one definition. The published types repeat names
 * of the types they publish.
 */
const typeNameFindings = (sources: ReadonlyArray<Source>): ReadonlyArray<Finding> => {
  const first = new Map<string, string>()
  return sources
    .filter(({ file }) => file.startsWith('src/') && file !== 'src/index.ts' && !file.includes('/gen/'))
    .flatMap((source) =>
      source.program.body.flatMap((node) => {
        const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : null
        const isType = declaration?.type === 'TSTypeAliasDeclaration' || declaration?.type === 'TSInterfaceDeclaration'
        if (!isType) return []
        const { name } = declaration.id
        const other = first.get(name)
        first.set(name, other ?? source.file)
        return other === undefined ? [] : [at(source, node.start, `the type ${name} is exported by ${other} already`)]
      }),
    )
}

const actionFindings =
  (tags: ReadonlySet<string>): Check =>
  (source) =>
    comparedActions(source, tags).map((offset) =>
      at(source, offset, 'actions are told apart by fold and partition only'),
    )

const files = listFiles('.')
const sources = files.filter((file) => /^(?:src|test)\/.*\.tsx?$/.test(file)).map(parse)
const checks: ReadonlyArray<Check> = [
  directionFindings,
  portFindings,
  domainFindings,
  optionalFindings,
  promiseFindings,
  spreadFindings,
  patternFindings,
  labelFindings,
  signalFindings,
  testFindings,
  actionFindings(actionTags(sources)),
]
const findings = [
  ...placeFindings(files),
  ...sources.flatMap((source) => checks.flatMap((check) => check(source))),
  ...circleFindings(sources),
  ...typeNameFindings(sources),
  ...eitherFindings(sources),
]
if (!existsSync('src')) findings.push(whole('src', 'there is nothing to check in this folder'))
for (const { file, line, message } of findings) process.stdout.write(`${file}:${line}: ${message}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
