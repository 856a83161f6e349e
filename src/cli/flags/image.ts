/** Flags of `build -f`: settings that a Compose file would have for the image. Without `-f` they have no effect. */
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import { flag, list, parsed, text } from './flag.ts'
import { assignments, oneOf } from './read.ts'
import { usage } from './usage.ts'

/** `NAME:ADDRESS` as in Docker, or `NAME=ADDRESS`; an IPv6 address contains colons itself. */
const hosts = (name: string, given: ReadonlyArray<string>): Checked<ReadonlyMap<string, string>> =>
  C.map((pairs: ReadonlyArray<readonly [string, string]>) => new Map(pairs))(
    C.each((written: string): Checked<readonly [string, string]> => {
      const at = written.search(/[=:]/)
      if (at > 0) return C.ok([written.slice(0, at), written.slice(at + 1)] as const)
      return C.fail(usage(`${name}: "${written}" has no address`, `write ${name} NAME:ADDRESS`))
    })(given),
  )

/** `NAME` alone has an empty value, as in docker: an empty label, or the agent, key or socket of that name. */
const named = (_: string, given: ReadonlyArray<string>): Checked<ReadonlyMap<string, string>> =>
  C.ok(
    new Map(
      given.map((written) => {
        const [name = '', ...value] = written.split('=')
        return [name, value.join('=')] as const
      }),
    ),
  )

/** Also a flag of deploy, which builds images, too. */
export const reproducible = flag(
  '--reproducible',
  'make equal content an equal digest: set SOURCE_DATE_EPOCH and rewrite times',
)

const networks = ['default', 'host', 'none'] as const

const entitlements = ['network.host', 'security.insecure'] as const

export const imageFlags = {
  ssh: list(
    '--ssh',
    { value: 'ID[=PATH]', about: 'SSH agent or keys for the build, for example default; repeatable' },
    named,
  ),
  label: list('--label', { value: 'NAME=VALUE', about: 'label of the image; repeatable' }, named),
  buildContext: list(
    '--build-context',
    { value: 'NAME=FOLDER', about: 'further build context: a folder or URL; repeatable' },
    assignments,
  ),
  addHost: list('--add-host', { value: 'NAME:ADDRESS', about: 'name that RUN steps can resolve; repeatable' }, hosts),
  network: parsed(
    '--network',
    { value: 'MODE', values: networks, about: 'network of RUN steps: default, host or none' },
    (name, written) => oneOf(name, written, networks),
  ),
  pull: flag('--pull', 'ask the registry for newer base images'),
  allow: list(
    '--allow',
    {
      value: 'RIGHT',
      values: entitlements,
      about: 'allow RUN steps network.host or security.insecure; repeatable',
    },
    (name, given) => C.each((one: string) => oneOf(name, one, entitlements))(given),
  ),
  provenance: text('--provenance', {
    value: 'FORM',
    about: 'attest how it was built: true, false or mode=max',
  }),
  sbom: text('--sbom', { value: 'FORM', about: 'attest what is in it: true, false or generator=IMAGE' }),
  metadataFile: text('--metadata-file', {
    value: 'FILE',
    offers: 'files',
    about: 'also write digests and names to this file, as JSON',
  }),
  iidfile: text('--iidfile', {
    value: 'FILE',
    offers: 'files',
    about: 'also write the id of the image to this file',
  }),
}
