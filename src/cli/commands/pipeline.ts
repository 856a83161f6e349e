import type { RunLine } from '../../domain/platform/run/log.ts'
import { checked, command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { text } from '../flags/flag.ts'
import { dataForms, listForms, logForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { nameOf, pipelineName, sinkOf } from '../run.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = (what: string, instead: string) => ({ what: `pipeline ${what}`, instead })

const run = text('--run', { value: 'ID', about: 'a run by its id; default: the last one of the pipeline' })

export const pipelineList = command({
  name: 'pipeline list',
  group: 'Platform',
  about: 'list the pipelines of a namespace, with their last runs',
  details: `
    Environments that were not deployed by a run are listed, too.
  `,
  examples: [
    ['As a table', '$0 pipeline list'],
    ['For a program', '$0 pipeline list -o json'],
  ],
  isSilent: true,
  words: {},
  flags: { ...clusterFlags, output: output(listForms, 'text') },
  run: async (given, call) => {
    const { listPipelines } = await import('../../app/pipelines/pipelines.ts')
    const { showPipelines } = await import('../view/run.ts')
    const team = await teamOf(call, given, only('list', '`devtool list` lists the environments'))
    return viewed(await listPipelines(team.ports)(team.call), (list) => showPipelines(given.output, list))
  },
})

export const pipelineLogs = command({
  name: 'pipeline logs',
  group: 'Platform',
  about: 'print the log of a run, and follow it until the run has ended',
  details: `
    The last lines of a log stay when the pod of the run is gone. A lost connection neither loses nor repeats lines.
  `,
  examples: [
    ['The last run of the pipeline of this folder', '$0 pipeline logs'],
    ['A run by its id, as one JSON object per line', '$0 pipeline logs --run 4f2a9c0d1e5b6a78 -o json'],
  ],
  words: {},
  flags: {
    ...clusterFlags,
    name: pipelineName,
    run,
    output: output(logForms, 'text', 'text or json (one object per line)'),
  },
  run: (given, call) =>
    checked(nameOf(call, given.name), async (pipeline) => {
      const [{ pipelineLogs: follow }, { runLineJson, showRunEnd }] = await Promise.all([
        import('../../app/pipelines/pipelines.ts'),
        import('../view/run.ts'),
      ])
      if (given.run !== undefined) await call.sayUnused(['name'], 'with --run')
      const team = await teamOf(call, given, only('logs', '`devtool logs` shows the logs of an environment'))
      const sink =
        given.output === 'json'
          ? async (line: RunLine) => (await call.stdout(runLineJson(line)))._tag === 'Done'
          : sinkOf(call, given.output)
      const say = (line: string) => call.stderr(`${line}\n`)
      return viewed(await follow(team.ports)({ pipeline, run: given.run }, sink, { ...team.call, say }), showRunEnd)
    }),
})

export const pipelineCancel = command({
  name: 'pipeline cancel',
  group: 'Platform',
  about: 'cancel a run',
  details: `
    The run is asked to end, and stops at its next step; what it has done by then stays. A queued run does not start.
  `,
  examples: [['The last run of the pipeline of this folder', '$0 pipeline cancel']],
  words: {},
  flags: { ...clusterFlags, name: pipelineName, run, output: output(dataForms, 'text') },
  run: (given, call) =>
    checked(nameOf(call, given.name), async (pipeline) => {
      const { cancelPipeline } = await import('../../app/pipelines/pipelines.ts')
      const { showPipelineCancelled } = await import('../view/run.ts')
      if (given.run !== undefined) await call.sayUnused(['name'], 'with --run')
      const team = await teamOf(call, given, only('cancel', 'end the command that deploys, with Ctrl-C'))
      const cancelled = await cancelPipeline(team.ports)({ pipeline, run: given.run }, team.call)
      return viewed(cancelled, (one) => showPipelineCancelled(given.output, one))
    }),
})
