import { checked, command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { nameOf, pipelineName, startingRun, wait, withStatus } from '../run.ts'
import { viewed } from '../view/view.ts'

const only = { what: 'pipeline destroy', instead: 'run `devtool destroy` in a clone, or in a job of your CI' }

export const pipelineDestroy = command({
  name: 'pipeline destroy',
  group: 'Platform',
  about: 'destroy what a pipeline has deployed, by a run on the platform',
  details: `
    The run clones the repository and runs \`devtool destroy\`, with the destroy commands of its manifest; those of the last deploy if it cannot be cloned.
  `,
  examples: [
    ['The pipeline of this folder', '$0 pipeline destroy --wait'],
    ['With its volumes', '$0 pipeline destroy --name shop --volumes'],
  ],
  words: {},
  flags: {
    ...clusterFlags,
    name: pipelineName,
    volumes: flag('--volumes', 'also delete its persistent volumes'),
    timeout,
    wait,
    output: output(dataForms, 'text'),
  },
  run: (given, call) =>
    checked(nameOf(call, given.name), async (name) => {
      const { destroyPipeline } = await import('../../app/pipelines/pipelines.ts')
      const { showPipelineDestroyed } = await import('../view/run.ts')
      const done = await startingRun(call, given, only, (ports, start) =>
        destroyPipeline(ports)(name, given.volumes, start),
      )
      const outcome = viewed(done, (destroyed) => showPipelineDestroyed(given.output, destroyed))
      return withStatus(outcome, done.value?.run)
    }),
})
