import type { Target } from '../../app/context/target.ts'
import * as C from '../../domain/checked.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import { checked, command } from '../command.ts'
import { clusterFlags, reachOf, yes } from '../flags/cluster.ts'
import { flag, may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output, progress } from '../flags/output.ts'
import { namingFlags, wantedOf } from '../flags/project.ts'
import { deploymentNumber } from '../flags/read.ts'
import { breakLock, takeOver, timeout, waitForLock } from '../flags/run.ts'
import { projectOf } from '../project.ts'
import { inTarget, toldElsewhere } from '../target.ts'
import { viewed } from '../view/view.ts'

export const rollback = command({
  name: 'rollback',
  group: 'Environment',
  about: 'go back to an earlier deployment of the environment',
  details: `
    Applies what an earlier deployment applied: that of the number, or the last one that differs from the present. It shows the differences, asks, and is listed as a new deployment. \`history\` lists the numbers.

    Images are not built again, and neither commands nor Jobs run. Volumes and their data, and what commands of a manifest and dependencies created, stay as they are.
  `,
  examples: [
    ['Back to the deployment before', '$0 rollback'],
    ['To deployment 3, without a question', '$0 rollback 3 --yes'],
  ],
  words: { number: may('number') },
  flags: {
    ...namingFlags,
    ...clusterFlags,
    yes,
    output: output(dataForms, 'text'),
    progress,
    timeout,
    wait: flag('--wait', 'wait until everything is available'),
    force: flag('--force-conflicts', 'take over fields that others manage'),
    breakLock,
    waitForLock,
    takeOver,
  },
  run: (given, call) =>
    checked(C.struct({ number: deploymentNumber(given.number), wanted: wantedOf(call, given) }), async (options) => {
      const { number, wanted } = options
      if (wanted === undefined) return { findings: [] }
      const choice = {
        reach: reachOf(given),
        hasProject: true,
        use: 'Create',
        wakes: true,
        form: given.progress,
        timeoutMs: given.timeout,
        isSound: (ports: Ports) => (target: Target) => async () => {
          const { isRecorded } = await import('../../app/deploy/rollback.ts')
          const project = await projectOf(call, ports, wanted)
          return isRecorded({ project, target, ...defined({ number }), signal: call.interruption() })()
        },
      } as const
      return inTarget(call, choice, async ({ ports, signal, target }) => {
        const { rollback: goBack } = await import('../../app/deploy/rollback.ts')
        const { showRollback } = await import('../view/rollback.ts')
        const project = await projectOf(call, ports, { ...wanted, platform: target.variables })
        const done = await goBack(ports)({
          project,
          target,
          ...defined({ number }),
          isWaiting: given.wait,
          isYes: given.yes,
          force: given.force,
          breaksLock: given.breakLock,
          lockWaitMs: given.waitForLock,
          takesOver: given.takeOver,
          signal,
          interrupted: call.interruption(),
        })
        const outcome = viewed(done, (report) => showRollback(given.output, report))
        const name = await project.name()
        return name.name === undefined ? outcome : toldElsewhere({ signal, target }, name.name, outcome)
      })
    }),
})
