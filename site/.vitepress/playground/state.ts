/** What the playground shows: a project, the file of it that is edited, and the last answer of the translation. */
import { computed, onMounted, onUnmounted, ref, shallowRef } from 'vue'
import type { Example } from './examples.data.ts'
import type { Answer, Files } from './messages.ts'
import { fromFragment, toFragment } from './share.ts'
import { startTranslator, type Translator } from './translator.ts'

export type Severity = Answer['findings'][number]['severity']

const ranks: ReadonlyArray<Severity> = ['note', 'warning', 'error']

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

export const usePlayground = (examples: ReadonlyArray<Example>) => {
  const files = shallowRef<Files>(examples[0]?.files ?? { 'compose.yaml': '' })
  const example = ref(examples[0]?.name ?? '')
  const current = ref('compose.yaml')
  const answer = shallowRef<Answer>()
  /** The manifests of the last version without errors. */
  const yaml = ref('')
  const revision = ref(0)
  let translator: Translator | undefined

  const open = (given: Files, name = ''): void => {
    files.value = given
    example.value = name
    current.value = 'compose.yaml' in given ? 'compose.yaml' : (Object.keys(given)[0] ?? 'compose.yaml')
    yaml.value = ''
    translator?.translate(given)
  }
  const openExample = (name: string): void => {
    const found = examples.find((one) => one.name === name)
    if (found !== undefined) open(found.files, name)
  }
  const edit = (text: string): void => {
    files.value = { ...files.value, [current.value]: text }
    translator?.translate(files.value)
  }
  const openFragment = async (): Promise<void> => {
    const { hash } = window.location
    const shared = await fromFragment(hash)
    if (shared === undefined) openExample(/^#example=([\w-]+)$/.exec(hash)?.[1] ?? '')
    else open(shared)
  }
  const followFragment = (): void => void openFragment()

  onMounted(async () => {
    translator = startTranslator((given) => {
      answer.value = given
      if (given.yaml !== undefined) yaml.value = given.yaml
      revision.value += 1
    })
    translator.translate(files.value)
    window.addEventListener('hashchange', followFragment)
    await openFragment()
  })
  onUnmounted(() => {
    translator?.end()
    window.removeEventListener('hashchange', followFragment)
  })

  const findings = computed(() => answer.value?.findings ?? [])
  /** The worst finding of each line of the file that is shown. */
  const marks = computed(() => {
    const worst = new Map<number, Severity>()
    for (const { at, severity } of findings.value) {
      if (at?.file !== current.value) continue
      if (ranks.indexOf(severity) > ranks.indexOf(worst.get(at.line) ?? 'note') || !worst.has(at.line))
        worst.set(at.line, severity)
    }
    return worst
  })
  const summary = computed(() => {
    if (answer.value === undefined) return 'Translating…'
    const of = (wanted: Severity): number => findings.value.filter(({ severity }) => severity === wanted).length
    const found = (['error', 'warning', 'note'] as const).flatMap((word) =>
      of(word) === 0 ? [] : [count(of(word), word)],
    )
    const objects = answer.value.yaml === undefined ? 'No manifests' : count(answer.value.objects, 'object')
    return [objects, ...(found.length === 0 ? ['nothing to report'] : found)].join(' · ')
  })

  return {
    answer,
    current,
    edit,
    example,
    files,
    findings,
    link: () => toFragment(files.value),
    marks,
    openExample,
    revision,
    summary,
    text: computed(() => files.value[current.value] ?? ''),
    yaml,
  }
}
