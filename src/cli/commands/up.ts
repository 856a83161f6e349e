import type { Target } from '../../app/context/target.ts'
import { sshFolderOf } from '../../domain/dev/ssh-config.ts'
import { defined } from '../../domain/object/defined.ts'
import { marksFor } from '../../domain/text/marks.ts'
import type { Ports } from '../../ports/ports.ts'
import { checked, command } from '../command.ts'
import { clusterFlags, reachOf, yes } from '../flags/cluster.ts'
import { agentImage, agentImageOf, startTimeout, takeOverSession } from '../flags/dev.ts'
import { flag, list, rest, texts } from '../flags/flag.ts'
import { progress } from '../flags/output.ts'
import { namingFlags, wantedOf } from '../flags/project.ts'
import { assignments } from '../flags/read.ts'
import { mask, noBash } from '../flags/run.ts'
import { projectOf } from '../project.ts'
import { commandWorld, inTarget } from '../target.ts'
import { hasColor } from '../terminal.ts'
import { viewed } from '../view/view.ts'

export const up = command({
  name: 'up',
  group: 'Environment',
  about: 'develop a service in the cluster',
  details: `
    Replaces a workload by a development container: the same image, variables, volumes and network, with a shell instead of its program. The terminal is that of the container, and the ports of the section \`dev\` are forwarded, until the shell or the command ends. The container stays until \`devtool down\`; \`devtool up\` connects to it again.

    The name is one of the section \`dev\` of the manifest; in a Compose file, it is a service. If its workload does not exist, it is deployed first.

    With several names, the command of each runs, their output is labelled, and Ctrl-C ends all.

    A lost connection is restored, and the shell keeps running. While there is no connection, Enter ~ . leaves the terminal.

    With \`--detach\`, a process in the background keeps the ports, and runs the command of the section if it has one; what it prints goes to a log. \`devtool up\` connects to that command, or opens a shell if there is none.
  `,
  examples: [
    ['Develop the only service, or the one that is chosen', '$0 up'],
    ['Run a command instead of the one in the section', '$0 up api --command "npm run dev"'],
    ['Run the commands of several, until Ctrl-C', '$0 up api web'],
    ['Leave it running in the background', '$0 up api --detach'],
    ['Set a variable, and deploy first', '$0 up api --env DEBUG=1 --deploy'],
  ],
  words: { names: rest('devName', { offers: 'devs' }) },
  flags: {
    ...namingFlags,
    ...clusterFlags,
    command: texts('--command', {
      value: 'COMMAND',
      about: 'command to run instead of that of the section, by a shell; given several times, its words',
    }),
    detach: flag('-d,--detach', 'leave the session to a process in the background, until `devtool down`'),
    env: list(
      '-e,--env',
      { value: 'NAME=VALUE', about: 'variable of the development container; repeatable' },
      assignments,
    ),
    deploy: flag('--deploy', 'deploy first, even if nothing is missing'),
    reset: flag('--reset', 'forget the state of the synchronisation, and compare all files again'),
    autoRestart: flag('--auto-restart', 'restart the container when its workload was changed'),
    takeOver: takeOverSession,
    agentImage,
    timeout: startTimeout,
    yes,
    mask,
    noBash,
    progress,
  },
  run: (given, call) =>
    checked(wantedOf(call, given), async (wanted) => {
      const choice = {
        reach: reachOf(given),
        hasProject: true,
        use: 'Create',
        wakes: true,
        form: given.progress,
        // A wrong name is refused without a question.
        isSound: (ports: Ports) => (target: Pick<Target, 'namespace' | 'settings'>) => async () => {
          const { areNamesKnown } = await import('../../app/dev/develop.ts')
          return areNamesKnown({ project: await projectOf(call, ports, wanted), names: given.names, target })()
        },
      } as const
      return inTarget(call, choice, async ({ ports, target, signal }) => {
        // The parent process has already deployed, and asked all questions.
        const isInside = ports.background.given !== undefined
        const { up: develop } = await import('../../app/dev/several.ts')
        const [{ labelled }, { sourceLabel }] = await Promise.all([
          import('../view/labelled.ts'),
          import('../view/logs.ts'),
        ])
        const isColored = hasColor(call.env, call.isTerminal.stdout)
        const ended = await develop(ports)({
          project: await projectOf(call, ports, { ...wanted, platform: target.variables }),
          target,
          names: given.names,
          consoleOf: (whole, name, all) => labelled(whole, sourceLabel(name, all, isColored), marksFor(call.env)),
          command: given.command,
          environment: given.env,
          isDeploying: given.deploy && !isInside,
          isYes: given.yes || isInside,
          isDetaching: given.detach,
          isRestarting: given.autoRestart,
          isReset: given.reset,
          takesOver: given.takeOver,
          agentImage: agentImageOf(given.agentImage, call.env, target),
          timeoutMs: given.timeout,
          version: call.version,
          sshFolder: sshFolderOf(call.env),
          signal,
          commandWorld: { ...commandWorld(call, given), bash: !given.noBash, again: false },
        })
        return { ...viewed(ended, () => ({})), ...defined({ status: ended.value?.status }) }
      })
    }),
})
