import { defined } from '../../domain/object/defined.ts'
import { type CommandCall, command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { flag, may } from '../flags/flag.ts'
import { type ListForm, listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { readTimeout } from '../flags/run.ts'
import type { Outcome } from '../outcome.ts'
import { type Connected, inTarget, toldElsewhere } from '../target.ts'
import { viewed } from '../view/view.ts'

/** Lists once, and with `isWatching` again after each change. */
const print = async (
  call: CommandCall,
  { ports, signal, target }: Connected,
  environment: string | undefined,
  { form, isWatching }: { readonly form: ListForm; readonly isWatching: boolean },
): Promise<Outcome> => {
  const { listEnvironments, listServices, watchEnvironments, watchServices } = await import('../../app/inspect/list.ts')
  const { environmentTable, serviceTable, showList } = await import('../view/list.ts')
  const first =
    environment === undefined
      ? viewed(await listEnvironments(ports)(target), (found) => showList(form, environmentTable(found)))
      : viewed(await listServices(ports)(target, environment), (found) => showList(form, serviceTable(found)))
  if (!isWatching || first.findings.some(({ severity }) => severity === 'error')) return first
  const { listWatchView, troubleView } = await import('../view/list-watch.ts')
  const { stdout: isTerminal } = call.isTerminal
  const view = listWatchView(form, { isTerminal, size: call.terminalSize })
  const isPainted = isTerminal && form === 'text'
  const said = troubleView()
  await call.show({ findings: first.findings, ...(isPainted ? {} : defined({ said: first.said })) })
  const shownAs =
    <A>(tableOf: (list: A) => Parameters<typeof view>[0]) =>
    async (list: A, trouble: string | undefined): Promise<boolean> => {
      const text = isPainted ? undefined : said(trouble, ports.clock.now())
      if (text !== undefined) ports.progress.tell({ _tag: 'Said', text })
      return (await call.stdout(view(tableOf(list), trouble)))._tag === 'Done'
    }
  if (environment === undefined) await watchEnvironments(ports)(target, { signal, shown: shownAs(environmentTable) })
  else await watchServices(ports)(target, environment, { signal, shown: shownAs(serviceTable) })
  return { findings: [] }
}

export const list = command({
  name: 'list',
  group: 'Environment',
  about: 'list the environments in the namespace, or the services of one',
  details: `
    Without an argument, it lists the environments with their status, the number of services and public addresses, and when and by whom they were last deployed.

    With the name of an environment, it lists its services with ready pods, state and reason, restarts, age and image.

    \`--watch\` keeps the list up to date until Ctrl-C. Where stdout is no terminal, it prints the rows that change; with \`-o json\`, the list as one line after each change.
  `,
  examples: [
    ['Environments of the namespace', '$0 list'],
    ['Services of one', '$0 list shop'],
    ['Watch them', '$0 list shop --watch'],
    ['Names only', '$0 list -o name'],
  ],
  words: { environment: may('environment', { offers: 'environments' }) },
  flags: {
    ...clusterFlags,
    watch: flag('-w,--watch', 'keep the list up to date until Ctrl-C'),
    timeout: readTimeout,
    output: output(listForms, 'text'),
  },
  run: async (given, call) => {
    const { environment, output: form, watch: isWatching } = given
    if (isWatching) await call.sayUnused(['timeout'], 'with --watch')
    const choice = { reach: reachOf(given), use: 'Read', ...(isWatching ? {} : { reading: given }) } as const
    return inTarget(call, choice, async (connected) => {
      const outcome = await print(call, connected, environment, { form, isWatching })
      return environment === undefined ? outcome : toldElsewhere(connected, environment, outcome)
    })
  },
})
