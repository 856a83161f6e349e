import { checked, command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { flag, text } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { deployFlags, nameOf, pipelineName, startingRun, wait, withStatus } from '../run.ts'
import { viewed } from '../view/view.ts'

const only = {
  what: 'pipeline deploy',
  instead: 'run `devtool deploy` in a clone, or in a job of your CI',
}

export const pipelineDeploy = command({
  name: 'pipeline deploy',
  group: 'Platform',
  about: 'deploy a repository by a run on the platform, which clones it',
  details: `
    The run clones the newest commit of the branch by HTTPS, and runs \`devtool deploy --wait\` in the namespace with your rights in it. Another run of the same pipeline waits for it, and replaces one that waits already.

    With \`--wait\` its log is printed, and the command ends with the status of the run. Ctrl-C does not stop the run, and prints how to cancel it. For a private repository set a token as the variable DEVTOOL_GIT_TOKEN_<HOST> of the namespace or for all, like DEVTOOL_GIT_TOKEN_GITHUB_COM, or give it with \`--var\`.
  `,
  examples: [
    ['The main branch of the repository that this folder is a clone of', '$0 pipeline deploy --wait'],
    ['Another repository', '$0 pipeline deploy --repository https://github.com/acme/shop --branch v2 --name shop'],
    ['Only the first time', '$0 pipeline deploy --skip-if-exists'],
  ],
  words: {},
  flags: {
    ...clusterFlags,
    name: pipelineName,
    ...deployFlags,
    branch: text('--branch', { value: 'NAME', about: 'branch or tag; default: the main branch of the repository' }),
    skipIfExists: flag(
      '--skip-if-exists',
      'start nothing when the namespace has such a pipeline; --wait waits for its run',
    ),
    timeout,
    wait,
    output: output(dataForms, 'text'),
  },
  run: (given, call) =>
    checked(nameOf(call, given.name), async (name) => {
      const { deployPipeline } = await import('../../app/pipelines/pipelines.ts')
      const { showPipelineDeployed } = await import('../view/run.ts')
      const { branch, file, repository, skipIfExists, var: variables } = given
      const wanted = { cwd: call.cwd, name, branch, file, repository, skipIfExists, variables }
      const done = await startingRun(call, given, only, (ports, start) => deployPipeline(ports)(wanted, start))
      const outcome = viewed(done, (deployed) => showPipelineDeployed(given.output, deployed))
      return withStatus(outcome, done.value?.run)
    }),
})
