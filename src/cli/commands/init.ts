import * as C from '../../domain/checked.ts'
import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { context, namespace } from '../flags/cluster.ts'
import { defaulted, flag, maybe, without } from '../flags/flag.ts'
import { name } from '../flags/project.ts'
import { switchVariable } from '../flags/read.ts'
import { viewed } from '../view/view.ts'

export const init = command({
  name: 'init',
  group: 'Environment',
  about: 'create a devtool.yml for this folder',
  details: `
    Looks for a Compose file, a Helm chart, manifests and Dockerfiles in this folder and below, and detects the language of what is built. On a terminal it asks questions; otherwise, and with \`--yes\`, it uses its guesses. The file it writes passes \`validate\`.
  `,
  examples: [
    ['Write devtool.yml', '$0 init'],
    ['Overwrite it without asking', '$0 init --replace --yes'],
  ],
  words: {},
  flags: {
    file: defaulted(
      '-f,--file',
      { value: 'FILE', offers: 'files', about: 'file to write; default devtool.yml' },
      'devtool.yml',
      (_, written) => C.ok(written),
    ),
    name,
    replace: maybe('--replace', 'overwrite an existing file', ['true', 'false'], (flagName, given) =>
      switchVariable(flagName, String(given ?? false)),
    ),
    yes: flag('--yes', 'ask no questions'),
    v1: flag('-v1', 'write the v1 form: one development container, nothing to deploy'),
    namespace: without(namespace, 'no cluster is asked'),
    context: without(context, 'no cluster is asked'),
  },
  run: async (given, { cwd, ports }) => {
    const { init: write } = await import('../../app/project/init.ts')
    const { showWrittenManifest } = await import('../view/init.ts')
    const written = await write(await ports())({
      cwd,
      file: given.file,
      ...defined({ name: given.name }),
      isReplacing: given.replace,
      isDevOnly: given.v1,
      isAsking: !given.yes,
    })
    return viewed(written, showWrittenManifest)
  },
})
