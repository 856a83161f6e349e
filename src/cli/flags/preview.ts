/** Flags of `deploy` that show something instead of deploying. */
import type { DeployProject } from '../../app/deploy/deploy-project.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { normalise } from '../../domain/text/path.ts'
import { flag, maybe, text, type Values } from './flag.ts'
import { dataForms, outputForms } from './forms.ts'
import { oneOf } from './read.ts'
import { usage } from './usage.ts'

/** Client: no cluster is contacted. Server: the API server checks everything and stores nothing. */
type DryRun = 'None' | 'Client' | 'Server'

const dryRunOf = (name: string, given: string | boolean | undefined): Checked<DryRun> => {
  switch (given) {
    case undefined:
    case false:
    case 'none':
      return C.ok('None')
    case true:
    case 'client':
      return C.ok('Client')
    case 'server':
      return C.ok('Server')
    default:
      return C.fail(usage(`${name}: unknown value "${given}"`, `use ${name}=client, ${name}=server or ${name}=none`))
  }
}

/** `--output files=FOLDER` */
const FILES = 'files='

export const previewFlags = {
  dryRun: maybe(
    '--dry-run',
    'change nothing: client (the default value) prints manifests, server shows what would be done',
    ['client', 'server', 'none'],
    dryRunOf,
  ),
  diff: flag('--diff', 'change nothing: show what would change, status 1 if anything would'),
  output: text('-o,--output', {
    value: 'FORM',
    values: [...new Set([...outputForms, ...dataForms]), FILES],
    about:
      'text, json or yaml; with --dry-run yaml (default), json (one document), plan (actions in order) or files=FOLDER (one file for each object, and a kustomization.yaml)',
  }),
  showSecrets: flag('--show-secrets', 'with --dry-run: print Secrets with their values'),
  golden: text('--golden', {
    value: 'FILE',
    offers: 'files',
    about: 'with --dry-run: compare with this file or folder, status 1 if it differs',
  }),
  update: flag('--update', 'write the golden file'),
}

type PreviewFlags = Values<typeof previewFlags>
export type DeployMode = 'Client' | DeployProject['mode']

export const modeOf = ({ diff, dryRun }: PreviewFlags): Checked<DeployMode> => {
  if (dryRun === 'None') return C.ok(diff ? 'Diff' : 'Apply')
  return diff ? C.fail(usage('--diff and --dry-run exclude each other', 'use only one of them')) : C.ok(dryRun)
}

export const secretsOf = ({ showSecrets }: PreviewFlags, mode: DeployMode | undefined): Checked<boolean> =>
  showSecrets && mode !== 'Client'
    ? C.fail(usage('--show-secrets needs --dry-run', 'write --dry-run --show-secrets'))
    : C.ok(showSecrets)

type Printed = { readonly form: (typeof outputForms)[number] } | { readonly into: string }

export const printedOf = (output: string): Checked<Printed> => {
  if (!output.startsWith(FILES)) {
    return C.map((form: (typeof outputForms)[number]) => ({ form }))(oneOf('--output', output, outputForms))
  }
  const folder = output.slice(FILES.length)
  return folder === ''
    ? C.fail(usage('--output files= needs a folder', 'write --output files=FOLDER'))
    : C.ok({ into: normalise(folder) })
}

export const goldenOf = ({ golden, output, update }: PreviewFlags, mode: DeployMode | undefined) => {
  if (golden === undefined) {
    return update ? C.fail(usage('--update needs --golden', 'write --golden FILE --update')) : C.ok(undefined)
  }
  if (mode !== 'Client') return C.fail(usage('--golden needs --dry-run', 'write --dry-run --golden FILE'))
  if (output === undefined || output === 'yaml') return C.ok({ file: golden, isUpdate: update })
  return C.fail(usage(`--golden compares YAML, not ${output}`, 'leave out --output'))
}
