/**
 * A case for every code: `codes/<CODE>` holds the smallest input that gives it and what is printed then. Cases whose
 * `args.json` has `argv` run the command line over files in memory: their golden is its stderr, then its stdout.
 */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryFiles } from '../../src/adapters/memory/files.ts'
import { main } from '../../src/cli/main.ts'
import { codes } from '../../src/domain/diagnostic/codes.ts'
import type { Ports } from '../../src/ports/ports.ts'
import type { Files } from '../support/project.ts'
import {
  type Args,
  argsIn,
  compareGoldens,
  findingsText,
  foldersIn,
  goldenFolder,
  inputsIn,
  textOf,
  translationOf,
} from './golden.ts'

/** Worlds that no folder can hold, by code. */
const handMade: Readonly<Record<string, () => Promise<Ports>>> = {
  DT9001: () => Promise.reject(new Error('the disk adapter could not be loaded')),
}

/** What lies beside the project folder, which a case cannot hold. */
const outside: Files = { '../outside.env': 'LEVEL=debug\n' }

const portsOver = (files: Files): Ports => {
  const memory = memoryFiles(
    new Map(
      Object.entries({ ...files, ...outside }).map(([path, content]) => [
        path,
        { _tag: 'File', bytes: new TextEncoder().encode(textOf(content)) },
      ]),
    ),
  )
  return { files: memory, writer: memory }
}

const commandText = async (
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  ports: () => Promise<Ports>,
): Promise<string> => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(stderr), text(stdout)])
  const isTerminal = { stdout: false, stderr: false }
  const world = {
    env,
    stdin,
    stdout,
    stderr,
    cwd: '/home/dev/shop',
    separator: ':',
    version: '0.0.0',
    isTerminal,
    ports,
  }
  await main([...argv], world)
  stdout.end()
  stderr.end()
  const [said, data] = await printed
  return `$ devtool ${argv.join(' ')}\n${said}${argv.includes('--golden') ? data : ''}`
}

const printedBy = (code: string, files: Files, args: Args): string | Promise<string> => {
  if (args.argv === undefined) return findingsText(translationOf(files, args), files)
  return commandText(args.argv, args.shell ?? {}, handMade[code] ?? (() => Promise.resolve(portsOver(files))))
}

const cases = foldersIn(`${goldenFolder}/codes`)

test('every code has a case, and there are no others', () => {
  assert.equal(cases, Object.keys(codes).toSorted())
})

for (const code of cases) {
  test(`${code} is found and printed`, async () => {
    const folder = `${goldenFolder}/codes/${code}`
    const printed = await printedBy(code, inputsIn(folder), argsIn(folder))
    assert.match(printed, new RegExp(`^(?:error|warning|note) ${code}: `, 'm'))
    compareGoldens(folder, { 'expected.txt': printed })
  })
}

test.run()
