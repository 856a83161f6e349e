/**
 * Generates the code for the BuildKit messages; with `--check` it only checks that it is current. The generated code of
 * the program is small and fast to load; tests use another encoder, so that no message is tested against itself.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binPath, runNode } from './command.ts'

const source = 'src/adapters/buildkit/proto'

type Output = {
  readonly plugin: string
  readonly options: ReadonlyArray<string>
  readonly made: string
  readonly kept: string
}

const outputs: ReadonlyArray<Output> = [
  {
    plugin: 'protoc-gen-ts_proto',
    options: [
      'outputServices=none',
      'outputJsonMethods=false',
      'outputPartialMethods=false',
      'outputTypeRegistry=false',
      'exportCommonSymbols=false',
      'forceLong=bigint',
      'useMapType=true',
      'useReadonlyTypes=true',
    ],
    made: 'buildkit.ts',
    kept: 'src/adapters/buildkit/gen/buildkit.ts',
  },
  {
    plugin: 'protoc-gen-es',
    options: ['target=ts'],
    made: 'buildkit_pb.ts',
    kept: 'test/support/build/gen/buildkit_pb.ts',
  },
]

const generate = async (scratch: string, { made, options, plugin }: Output): Promise<string> => {
  const plugins = [{ local: [process.execPath, binPath(plugin)], out: scratch, opt: options }]
  const template = JSON.stringify({ version: 'v2', plugins })
  const { output, status } = await runNode([binPath('buf'), 'generate', source, '--template', template])
  if (status !== 0) throw new Error(output)
  return readFileSync(join(scratch, made), 'utf8')
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'devtool-proto-'))
try {
  for (const output of outputs) {
    const text = await generate(scratch, output)
    if (!process.argv.includes('--check')) writeFileSync(output.kept, text)
    else if (read(output.kept) !== text) {
      process.stdout.write(`${output.kept} is not what ${source} says: npm run proto\n`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
