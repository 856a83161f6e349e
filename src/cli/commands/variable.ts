import { command } from '../command.ts'
import { clusterFlags } from '../flags/cluster.ts'
import { flag, may, must } from '../flags/flag.ts'
import { listForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { teamOf } from '../team.ts'
import { viewed } from '../view/view.ts'

const only = (what: string) => ({
  what: `variable ${what}`,
  instead: 'set variables in .env, in the environment or with --var',
})

const all = flag('--all', 'variables for all namespaces, which administrators of the platform set')
const name = must('name')

export const variableList = command({
  name: 'variable list',
  group: 'Platform',
  about: 'list the variables that deploys in the namespace get from the platform',
  details: `
    Values are not shown. A variable of the namespace takes precedence over one for all.
  `,
  examples: [
    ['Of the namespace', '$0 variable list'],
    ['For all namespaces', '$0 variable list --all'],
  ],
  isSilent: true,
  words: {},
  flags: { ...clusterFlags, all, output: output(listForms, 'text') },
  run: async (given, call) => {
    const { listVariables } = await import('../../app/namespaces/variables.ts')
    const { showVariables } = await import('../view/team.ts')
    const team = await teamOf(call, given, only('list'))
    const listed = await listVariables(team.ports)({ ...team.call, isForAll: given.all })
    return viewed(listed, (list) => showVariables(given.output, list))
  },
})

export const variableSet = command({
  name: 'variable set',
  group: 'Platform',
  about: 'set a variable that deploys in the namespace get',
  details: `
    The Compose file and the manifest use it like one of .env, and whatever else sets a variable takes precedence. Without a value it is read from the standard input, so that a secret appears neither in the process list nor in the shell history. Everyone who may deploy in the namespace can read it.
  `,
  examples: [
    ['A value', '$0 variable set LOG_LEVEL debug'],
    ['A secret, from the standard input', '$0 variable set API_KEY'],
    ['For all namespaces, and previews as well', '$0 variable set MIRROR mirror.example.com --all --previews'],
  ],
  words: { name, value: may('value') },
  flags: { ...clusterFlags, all, previews: flag('--previews', 'with --all: previews get it, too') },
  run: async (given, call) => {
    const { setVariable } = await import('../../app/namespaces/variables.ts')
    const { readValue } = await import('../../app/namespaces/read-value.ts')
    const { showVariableSet } = await import('../view/team.ts')
    if (!given.all) await call.sayUnused(['previews'], 'without --all')
    const team = await teamOf(call, given, only('set'))
    const value = await readValue(await call.ports())(given.value)()
    if (value._tag === 'Left') return { findings: [value.left] }
    const variable = { name: given.name, value: value.right, inPreviews: given.previews }
    return viewed(await setVariable(team.ports)(variable, { ...team.call, isForAll: given.all }), showVariableSet)
  },
})

export const variableUnset = command({
  name: 'variable unset',
  group: 'Platform',
  about: 'delete a variable of the platform',
  examples: [
    ['Of the namespace', '$0 variable unset LOG_LEVEL'],
    ['For all namespaces', '$0 variable unset MIRROR --all'],
  ],
  words: { name },
  flags: { ...clusterFlags, all },
  run: async (given, call) => {
    const { unsetVariable } = await import('../../app/namespaces/variables.ts')
    const { showVariableUnset } = await import('../view/team.ts')
    const team = await teamOf(call, given, only('unset'))
    const unset = await unsetVariable(team.ports)(given.name, { ...team.call, isForAll: given.all })
    return viewed(unset, showVariableUnset)
  },
})
