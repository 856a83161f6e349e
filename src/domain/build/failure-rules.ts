/** What the error messages of BuildKit and the Docker daemon mean. The first matching rule counts. */
import type { Code } from '../diagnostic/codes.ts'
import { bounded } from '../text/bounded.ts'
import { closest, didYouMean } from '../text/suggest.ts'
import { imageOfStep } from './dockerfile-text.ts'
import { adviceOn, registryOf, shortCause, troubleOf } from './registry-trouble.ts'

/** `line`: of the Dockerfile, if the message names one. `hasOutput`: the output of the step explains the failure. */
export type Meaning = {
  readonly code: Code
  readonly message: string
  readonly help?: string
  readonly line?: number
  readonly hasOutput?: boolean
}

/**
 * `words`: the instruction it is about, '' if unknown. `stages` of the Dockerfile, `files` of the context as far as
 * they are known, `lines` the step's last output. `isReading`: it failed before any step ran.
 */
export type FailureContext = {
  readonly words: string
  readonly step: string
  readonly lines: ReadonlyArray<string>
  readonly stages: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly isReading: boolean
  readonly exitCode?: number
}

type Rule = readonly [RegExp, (match: RegExpExecArray, scene: FailureContext) => Meaning | undefined]

/** Each layer of the builder adds its own prefix. */
const PREFIX =
  /^(?:failed to solve(?: with frontend [\w.:/-]+)?|rpc error: code = \w+ desc =|failed to (?:create LLB definition|build LLB|load LLB|load cache key|solve LLB)|error from frontend|ResourceExhausted|Unknown|NotFound|InvalidArgument):?\s+/

export const plainMessage = (message: string): string => {
  let rest = bounded(message.trim())
  while (PREFIX.test(rest)) rest = rest.replace(PREFIX, '')
  return rest
}

const stageMeaning = (stage: string, { stages }: FailureContext): Meaning => ({
  code: 'DT4007',
  message: `there is no stage "${stage}"`,
  help: didYouMean(
    stage,
    stages,
    stages.length === 0 ? 'the Dockerfile names no stages (FROM … AS NAME)' : `the stages are ${stages.join(', ')}`,
  ),
})

/** `COPY --from=biulder`: a misspelled stage is taken for an image. */
const stageMeant = (image: string, { stages, words }: FailureContext): string | undefined => {
  const [, from] = /(?:--from=|(?<!\S)--mount=\S*from=|^\s*FROM\s+(?:--\S+\s+)*)([\w-]+)(?=[\s,]|$)/i.exec(words) ?? []
  const isImage = from !== undefined && image.split(/[/:]/).includes(from.toLowerCase())
  return isImage && closest(from, stages) !== undefined ? from : undefined
}

const syntaxHelp =
  'drop the `# syntax=` line (BuildKit has a built-in frontend), mirror the image, or set another with --build-arg BUILDKIT_SYNTAX=IMAGE'

const imageMeaning = (image: string, cause: string, scene: FailureContext): Meaning => {
  const stage = stageMeant(image, scene)
  if (stage !== undefined) return stageMeaning(stage, scene)
  const trouble = troubleOf(cause)
  const isSyntax = /^\s*#\s*syntax\s*=/i.test(scene.words)
  const what = isSyntax ? `the frontend ${image} of the syntax line` : `the image ${image}`
  const why = trouble === 'Missing' ? 'it is not in the registry' : shortCause(cause)
  const help = isSyntax ? syntaxHelp : adviceOn(trouble, registryOf(image), cause)
  return { code: 'DT4008', message: `${what} cannot be pulled: ${why}`, help }
}

export const pushMeaning = (image: string, cause: string): Meaning => {
  const trouble = troubleOf(cause)
  const host = registryOf(image)
  const code = trouble === 'Denied' ? 'DT4012' : trouble === 'Unreached' ? 'DT4013' : 'DT4011'
  const isName = /invalid reference format/.test(cause)
  const help = isName ? 'write names of images in lower case' : adviceOn(trouble, host, cause)
  return { code, message: `${image} was built but not pushed: ${shortCause(cause)}`, help }
}

/** Exit statuses that mean the same in every shell and kernel. */
const statusHelp = (status: number, { lines }: FailureContext): string | undefined => {
  const text = lines.join('\n')
  const [, program] = /exec: "([^"]+)": (?:stat [^:]+: no such file|executable file not found)/.exec(text) ?? []
  if (program !== undefined) {
    return `${program} is not in the image: an image FROM scratch has no shell, others may have it at another path`
  }
  if (/exec format error/.test(text)) return 'the program is for a platform that the builder cannot run (--platform)'
  switch (status) {
    case 126:
      return 'the file exists but cannot be executed: check that it is executable, and for this platform'
    case 127:
      return 'the command is not in the image: install it in an earlier step, or check PATH'
    case 137:
      return 'it was killed, probably because it ran out of memory: give the builder more memory, or make the step use less'
    case 139:
      return 'the program crashed (segmentation fault)'
    default:
      return undefined
  }
}

/** `[builder 3/7] RUN npm ci --omit=dev` is shortened to `[builder 3/7] RUN`: the excerpt shows the rest. */
const shortStep = (step: string): string => /^(?:\[[^\]]*\]\s*)?\w+/.exec(step)?.[0] ?? step

const stepMeaning = (status: number | undefined, how: string, scene: FailureContext): Meaning => {
  const help = status === undefined ? undefined : statusHelp(status, scene)
  const ended = status === undefined ? how : `exited with status ${status}`
  const words = {
    code: 'DT4006',
    message: `${shortStep(scene.step) || 'a RUN step'} ${ended}`,
    hasOutput: true,
  } as const
  return help === undefined ? words : { ...words, help }
}

const missingMeaning = (path: string, { files, words }: FailureContext): Meaning => {
  const [, from] = /(?:--from=|(?<!\S)--mount=\S*from=)([^\s,]+)/.exec(words) ?? []
  if (from !== undefined) {
    return { code: 'DT4009', message: `${path} is not in "${from}", where it is taken from`, help: 'check the path' }
  }
  const name = path.replace(/^\//, '')
  const help =
    'paths are relative to the build context; check that the file exists and that .dockerignore does not exclude it'
  return { code: 'DT4009', message: `"${name}" is not in the build context`, help: didYouMean(name, files, help) }
}

const FULL =
  'free disk space on the builder: `buildctl prune`, or `docker builder prune` with a Docker daemon; or use a larger disk'

const rules: ReadonlyArray<Rule> = [
  [
    /no space left on device|disk quota exceeded/i,
    () => ({ code: 'DT4014', message: 'the disk of the builder is full', help: FULL }),
  ],
  [
    /^dockerfile parse error (?:on )?line (\d+): ([\s\S]*)/i,
    ([, line = '', text = '']) => ({ code: 'DT4005', message: text, line: Number(line) }),
  ],
  [/failed to push (\S+): ([\s\S]*)/, ([, image = '', cause = '']) => pushMeaning(image, cause)],
  [/did not complete successfully: cannot allocate memory/, (_, scene) => stepMeaning(137, '', scene)],
  [
    /(?:did not complete successfully|\]): exit code: (\d+)/,
    ([, code = ''], scene) => stepMeaning(Number(code), '', scene),
  ],
  [/target stage "?([^\s"]+)"? could not be found/, ([, stage = ''], scene) => stageMeaning(stage, scene)],
  [/invalid stage index (\d+)/, ([, stage = ''], scene) => stageMeaning(stage, scene)],
  [
    /secret ([^\s:]+):? not found/,
    ([, id = '']) => ({
      code: 'DT4015',
      message: `the step needs the secret "${id}", which the build does not have`,
      help: `pass it with --secret id=${id},src=FILE or id=${id},env=VARIABLE, or in \`secrets\` of the build`,
    }),
  ],
  [
    /(?:unset ssh forward key|no SSH key "?)\s*([\w-]*)/i,
    () => ({
      code: 'DT4015',
      message: 'the step needs an SSH key, which the build does not have',
      help: 'start an SSH agent (SSH_AUTH_SOCK), or name keys in `ssh` of the build',
    }),
  ],
  [
    /failed to read dockerfile: open (\S+): no such file/,
    ([, file = '']) => ({
      code: 'DT4028',
      message: `there is no ${file.split('/').at(-1) ?? file}`,
      help: 'name it with `dockerfile` of the build, or with --file',
    }),
  ],
  [
    /(?:dockerfile cannot be empty|file with no instructions)/i,
    () => ({ code: 'DT4005', message: 'the Dockerfile has no instructions' }),
  ],
  [
    /failed to (?:resolve source metadata|load metadata) for (\S+): ([\s\S]*)/,
    ([, image = '', cause = ''], scene) => imageMeaning(image.replace(/^docker\.io\/library\//, ''), cause, scene),
  ],
  [
    /^(?:(\S+): )?((?:pull access denied|failed to (?:authorize|fetch (?:anonymous|oauth) token))[\s\S]*)/,
    ([, named, cause = ''], scene) => {
      const [, base] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)/i.exec(scene.words) ?? []
      const image = named ?? base
      if (image !== undefined) return imageMeaning(image, cause, scene)
      return {
        code: 'DT4008',
        message: `a base image cannot be pulled: ${cause}`,
        help: 'log in with `docker login HOST`, and check the name',
      }
    },
  ],
  [/"(\/[^"]*)":? not found/, ([, path = ''], scene) => missingMeaning(path, scene)],
  [
    /error from sender: ([\s\S]*)/,
    ([, cause = '']) => ({ code: 'DT4010', message: `the build context cannot be sent: ${cause}` }),
  ],
  [
    /[\s\S]+/,
    ([whole], scene) => {
      const image = troubleOf(whole) === 'Other' ? undefined : imageOfStep(scene.step)
      return image === undefined ? undefined : imageMeaning(image.replace(/^docker\.io\/library\//, ''), whole, scene)
    },
  ],
  [
    /(?:^Get "([^"]+)": |^invalid response status )([\s\S]*)/,
    ([whole, url, cause = ''], { step }) => {
      const what = url ?? /\b(?:https?|git|ssh):\S+/.exec(step)?.[0] ?? (step || 'a file')
      const why = url === undefined ? whole : shortCause(cause)
      const help = 'it is downloaded by the builder, not by this machine'
      return { code: 'DT4017', message: `${what} cannot be downloaded: ${why}`, help }
    },
  ],
  [
    /(?<![\w.-])(?:security|network|device)[\w.-]*"? is not allowed|exporter "?\w+"? could not be found|cache export is not supported[\s\S]*/i,
    ([whole]) => ({ code: 'DT4024', message: whole, help: 'use a builder that allows it' }),
  ],
]

/** `text` as returned by {@link plainMessage}. */
export const meaningOf = (text: string, scene: FailureContext): Meaning => {
  const message = bounded(text)
  for (const [form, mean] of rules) {
    const match = form.exec(message)
    const meaning = match === null ? undefined : mean(match, scene)
    if (meaning !== undefined) return meaning
  }
  if (scene.exitCode !== undefined) return stepMeaning(scene.exitCode, '', scene)
  if (scene.isReading) return { code: 'DT4005', message }
  return { code: 'DT4004', message, hasOutput: true }
}
