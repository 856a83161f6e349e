import { defined } from '../../domain/object/defined.ts'
import { checked, command } from '../command.ts'
import { text } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output, report } from '../flags/output.ts'
import { hostFiles, projectFlags, wantedOf } from '../flags/project.ts'
import { viewed } from '../view/view.ts'

export const validate = command({
  name: 'validate',
  group: 'Environment',
  isAboutFindings: true,
  about: 'check a Compose file or devtool.yml for mistakes',
  details: `
    Reads what \`deploy\` reads and prints every error and warning with its place. The exit status is 3 if there is an error.

    With \`-o json\` or \`-o yaml\`, the findings are printed as one document.
  `,
  examples: [
    ['Check the Compose file of this folder', '$0 validate'],
    ['Fail on warnings, and write a SARIF report', '$0 validate --strict --report sarif=devtool.sarif'],
  ],
  words: {},
  flags: {
    ...projectFlags,
    hostFiles,
    namespace: text('-n,--namespace', { value: 'NAME', offers: 'namespaces', about: 'namespace of the manifests' }),
    report,
    output: output(dataForms, 'text'),
  },
  run: (given, call) =>
    checked(wantedOf(call, given, [], defined({ hostFiles: given.hostFiles })), async (wanted) => {
      const { validate: check } = await import('../../app/project/validate.ts')
      const { report: reports, output: form } = given
      const { showValidation } = await import('../view/validate.ts')
      const found = await check(await call.ports())({ wanted, reports, version: call.version })
      return viewed(found, (validation) => showValidation(form, validation))
    }),
})
