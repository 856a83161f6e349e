import { command } from '../command.ts'
import { may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { usage } from '../flags/usage.ts'

export const explain = command({
  name: 'explain',
  group: 'Help',
  about: 'explain a diagnostic code, or a field of the Compose file',
  details: `
    Without an argument, it lists everything that can be explained.

    With \`-o json\` or \`-o yaml\`, it prints a document with the keys topic and text; the list has the key topics.
  `,
  examples: [
    ['A code', '$0 explain DT1012'],
    ['A field', '$0 explain services.healthcheck.interval'],
    ['A code, as JSON', '$0 explain DT1012 -o json'],
  ],
  isSilent: true,
  words: { topic: may('code or field', { offers: 'topics' }) },
  flags: { output: output(dataForms, 'text') },
  run: async ({ output: form, topic }) => {
    const { explanationOf, nearest, topics } = await import('../../domain/explain/explain.ts')
    const { showExplanation, showTopics } = await import('../view/explain.ts')
    if (topic === undefined) return { findings: [], output: showTopics(form, topics()) }
    const found = explanationOf(topic)
    if (found !== undefined) return { findings: [], output: showExplanation(form, found) }
    const near = nearest(topic)
    const help = near === undefined ? '`devtool explain` lists what there is' : `did you mean "${near}"?`
    return { findings: [usage(`there is nothing to explain about "${topic}"`, help)] }
  },
})
