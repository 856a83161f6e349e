import { previewScopes } from '../../domain/platform/preview.ts'
import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { choice, may, text } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { deployFlags, startingRun, wait, withStatus } from '../run.ts'
import { viewed } from '../view/view.ts'

const only = {
  what: 'preview deploy',
  instead: 'deploy the branch under a name of its own: `devtool deploy --name NAME`',
}

export const previewDeploy = command({
  name: 'preview deploy',
  group: 'Platform',
  about: 'deploy a branch into a namespace of its own',
  details: `
    A preview is a namespace and one pipeline in it. Deploying it again updates it. Without a name it is named after the repository and the branch, so that the same branch is the same preview. It is destroyed automatically 7 days after it was last deployed.

    For a private repository a token is needed as the variable DEVTOOL_GIT_TOKEN_<HOST>, like DEVTOOL_GIT_TOKEN_GITHUB_COM: an administrator sets it with \`variable set --all --previews\`, or it is given with \`--var\`. Without it, \`preview destroy\` runs the destroy commands of the last deploy.

    Only you have access to a personal preview, unless you add members to its namespace. A global one is open to all users of the platform, and only administrators deploy and destroy it.
  `,
  examples: [
    ['The branch that is checked out', '$0 preview deploy --wait'],
    [
      'Of a pull request',
      '$0 preview deploy pr-12 --branch feature --sourceUrl https://github.com/acme/shop/pull/12 --wait',
    ],
    ['For everybody', '$0 preview deploy demo --scope global'],
  ],
  words: { preview: may('name') },
  flags: {
    ...contextFlags,
    ...deployFlags,
    branch: text('--branch', { value: 'NAME', about: 'branch or tag; default: the one that is checked out' }),
    scope: choice(
      '--scope',
      { value: 'SCOPE', about: 'personal (default): only you have access; global: all users of the platform' },
      previewScopes,
      'personal',
    ),
    sourceUrl: text('--sourceUrl', { value: 'URL', about: 'HTTPS address of the pull request or merge request' }),
    timeout,
    wait,
    output: output(dataForms, 'text'),
  },
  run: async (given, call) => {
    const { deployPreview } = await import('../../app/pipelines/previews.ts')
    const { showPreviewDeployed } = await import('../view/run.ts')
    const { branch, file, preview: name, repository, scope, sourceUrl, var: variables } = given
    const wanted = { cwd: call.cwd, name, branch, file, repository, scope, sourceUrl, variables }
    const done = await startingRun(call, given, only, (ports, start) => deployPreview(ports)(wanted, start))
    const outcome = viewed(done, (deployed) => showPreviewDeployed(given.output, deployed))
    return withStatus(outcome, done.value?.run)
  },
})
