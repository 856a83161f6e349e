import { deadline } from '../../app/concurrency/deadline.ts'
import { command } from '../command.ts'
import { contextFlags } from '../flags/cluster.ts'
import { flag, may } from '../flags/flag.ts'
import { dataForms, endpointForms, listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { timeout } from '../flags/run.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = (what: string, instead: string) => ({ what: `preview ${what}`, instead })

const words = { preview: may('name') }
const unnamed = 'Without a name it is the preview of the branch that is checked out.'

export const previewDestroy = command({
  name: 'preview destroy',
  group: 'Platform',
  about: 'destroy a preview, and its namespace',
  details: `
    The destroy commands of its manifest run first. It waits until the preview is gone, volumes included; the platform continues if the command ends earlier. Only administrators of the platform destroy global previews. ${unnamed}
  `,
  examples: [
    ['By its name', '$0 preview destroy pr-12'],
    ['Even if its destroy commands fail', '$0 preview destroy pr-12 --force'],
  ],
  words,
  flags: {
    ...contextFlags,
    force: flag('--force', 'skip the destroy commands'),
    timeout,
    output: output(dataForms, 'text'),
  },
  run: async (given, call) => {
    const { destroyPreview } = await import('../../app/pipelines/previews.ts')
    const { showPreviewDestroyed } = await import('../view/run.ts')
    const instead = 'take it down with `devtool destroy --name NAME`'
    const team = await teamOf(call, given, only('destroy', instead))
    const ports = await call.ports()
    const { clear, signal } = deadline(ports.clock, given.timeout, team.call.signal)
    const choice = { name: given.preview, cwd: call.cwd }
    const destroyed = await destroyPreview(ports)(choice, given.force, { ...team.call, signal })
    clear()
    return viewed(destroyed, (one) => showPreviewDestroyed(given.output, one))
  },
})

export const previewEndpoints = command({
  name: 'preview endpoints',
  group: 'Platform',
  about: 'list the public addresses of a preview and whether they respond',
  details: `
    Each address is requested once, for at most 3 seconds. ${unnamed}
  `,
  examples: [
    ['By its name', '$0 preview endpoints pr-12'],
    ['As Markdown, for a comment on a pull request', '$0 preview endpoints pr-12 -o md'],
  ],
  isSilent: true,
  words,
  flags: { ...contextFlags, output: output(endpointForms, 'text') },
  run: async (given, call) => {
    const { previewEndpoints: find } = await import('../../app/pipelines/previews.ts')
    const { showEndpoints, showUrls } = await import('../view/endpoints.ts')
    const team = await teamOf(call, given, only('endpoints', '`devtool endpoints --name NAME` lists them'))
    const found = await find(await call.ports())({ name: given.preview, cwd: call.cwd }, team.call)
    const { output: form } = given
    return viewed(found, (list) => (form === 'name' ? showUrls(list) : showEndpoints(form, list)))
  },
})

export const previewList = command({
  name: 'preview list',
  group: 'Platform',
  about: 'list your previews, and the global ones',
  examples: [
    ['As a table', '$0 preview list'],
    ['Names only', '$0 preview list -o name'],
  ],
  isSilent: true,
  words: {},
  flags: { ...contextFlags, output: output(listForms, 'text') },
  run: async (given, call) => {
    const { listPreviews } = await import('../../app/pipelines/previews.ts')
    const { showPreviews } = await import('../view/run.ts')
    const team = await teamOf(call, given, only('list', '`devtool list` lists the environments of the namespace'))
    return viewed(await listPreviews(team.ports)(team.call), (list) => showPreviews(given.output, list))
  },
})
