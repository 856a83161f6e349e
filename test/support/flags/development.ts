/** The flags of `status`, which shows a development container that somebody has made. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { adds, behind, type Effects, loglevel, output } from './effect.ts'
import { files, type Setup } from './world.ts'

const { objects }: { readonly objects: ReadonlyArray<JsonObject> } = JSON.parse(
  readFileSync('test/golden/codes/DT5058/cluster.json', 'utf8').replaceAll(
    '"namespace": "default"',
    '"namespace": "demo"',
  ),
)

const developed: Setup = {
  files: { ...files, 'compose.yaml': 'name: shop\nservices: {api: {image: nginx}}\n' },
  objects,
}

const everywhere: Effects = {
  '--file': adds('--file', 'other.yaml'),
  '--context': adds('--context', 'other'),
  '--kubeconfig': adds('--kubeconfig', 'mine.yaml'),
  '--namespace': adds('-n', 'prod'),
  ...loglevel,
  ...output,
}

export const status: Effects = behind(
  { ...everywhere, '--timeout': { isSilent: true, flag: ['--timeout', '5s'] } },
  [],
  developed,
)
