import type { Target } from '../../app/context/target.ts'
import type { Ports } from '../../ports/ports.ts'
import { checked, command } from '../command.ts'
import { clusterFlags, reachOf, yes } from '../flags/cluster.ts'
import { flag } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output, progress } from '../flags/output.ts'
import { namingFlags, wantedOf } from '../flags/project.ts'
import { breakLock, mask, noBash, takeOver, timeout, waitForLock } from '../flags/run.ts'
import { projectOf } from '../project.ts'
import { commandWorld, inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

export const destroy = command({
  name: 'destroy',
  group: 'Environment',
  about: 'delete what deploy created',
  details: `
    Runs the destroy commands of the manifest, then deletes everything in the namespace that belongs to the environment of this folder, or to that of \`--name\`: what \`deploy\` and its commands created, including Helm releases. It needs no file and can be run again at any time.

    Volumes are kept unless \`--volumes\` is given. Objects with the annotation \`dev.devtool/policy: keep\` are always kept. Objects that commands created outside the namespace are listed with the command that deletes them, and so are the environments that the manifest depends on. With \`--dependencies\` these are destroyed as well, unless another environment of the namespace needs them or they come from another repository than the manifest says; their destroy commands do not run but are named.

    \`--all\` deletes everything in the namespace, no matter who created it, except what Kubernetes itself creates and the rules of the namespace (roles, quotas).
  `,
  examples: [
    ['See what would be deleted', '$0 destroy --dry-run'],
    ['Destroy the environment of this folder and wait until it is deleted', '$0 destroy --wait'],
    ['Destroy another one, with its data', '$0 destroy --name shop --volumes'],
  ],
  words: {},
  flags: {
    ...namingFlags,
    ...clusterFlags,
    yes,
    volumes: flag('--volumes', 'also delete volumes: their data is lost'),
    dependencies: flag(
      '--dependencies',
      'also destroy the environments it depends on that no other one needs; asks first',
    ),
    all: flag(
      '--all',
      'delete everything in the namespace, of all environments and of others, except what Kubernetes creates',
    ),
    dryRun: flag('--dry-run', 'change nothing: show what would be deleted and kept'),
    output: output(dataForms, 'text'),
    progress,
    timeout,
    wait: flag('--wait', 'wait until everything is deleted'),
    waitForLock,
    breakLock,
    takeOver,
    skipCommands: flag('--skip-commands', 'do not run the destroy commands'),
    mask,
    noBash,
  },
  run: (given, call) =>
    checked(wantedOf(call, given), async (wanted) => {
      if (given.dryRun)
        await call.sayUnused(['yes', 'wait', 'waitForLock', 'breakLock', 'takeOver', 'noBash'], 'with --dry-run')
      if (given.all) await call.sayUnused(['dependencies'], 'with --all')
      const use = given.dryRun ? 'Read' : 'Change'
      const choice = {
        reach: reachOf(given),
        hasProject: true,
        use,
        form: given.progress,
        timeoutMs: given.timeout,
        isSound: (ports: Ports) => (target: Pick<Target, 'namespace' | 'settings'>) => async () => {
          const { readForDestroy } = await import('../../app/destroy/destroy-project.ts')
          const project = await projectOf(call, ports, wanted)
          return readForDestroy({ project, target, isDryRun: false, skipsCommands: given.skipCommands })()
        },
      } as const
      return inTarget(call, choice, async ({ ports, target, signal }) => {
        const { destroyProject } = await import('../../app/destroy/destroy-project.ts')
        const { showDestroyed } = await import('../view/destroy.ts')
        const project = await projectOf(call, ports, { ...wanted, platform: target.variables })
        const destroyed = await destroyProject(ports)({
          project,
          target,
          options: { withVolumes: given.volumes, isAll: given.all },
          isWaiting: given.wait,
          isYes: given.yes,
          isDryRun: given.dryRun,
          breaksLock: given.breakLock,
          lockWaitMs: given.waitForLock,
          skipsCommands: given.skipCommands,
          // Those of a run are not of an environment that one of them destroys.
          runsRecorded:
            call.env['DEVTOOL_RECORDED_COMMANDS'] === 'true' && call.env['DEVTOOL_WITHIN_COMMAND'] === undefined,
          takesOver: given.takeOver,
          withDependencies: given.dependencies,
          signal,
          commandWorld: { ...commandWorld(call, given), bash: !given.noBash },
        })
        return viewed(destroyed, (report) => showDestroyed(given.output, report))
      })
    }),
})
