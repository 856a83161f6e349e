/** Events as `--progress json` prints them, one object per line, distinguished by `type`. */
import * as t from 'io-ts'
import { Diagnostic } from '../diagnostic/codec.ts'
import { document, keys, oneOf } from '../print/document.ts'

const type = <A extends string>(name: A) => [t.literal(name), 'kind of event'] as const

const StepWord = oneOf('waiting', 'running', 'done', 'failed', 'skipped')

const ofStep = {
  id: [t.string, 'identifies the step: the same in all of its events'],
  title: [t.string, 'name of the step, for example of a service, a command or an image'],
  state: [StepWord, 'its state'],
  elapsedMs: [t.number, 'milliseconds since its first event'],
} as const

const detail = [t.string, 'its state in words'] as const

const ofVertex = {
  image: [t.string, 'name of the image or service'],
  vertex: [t.string, 'digest of the build step, from BuildKit'],
} as const

const number = [t.number, 'number of the build step, from 1; only steps of the Dockerfile have one'] as const

export const StepLine = document(
  'step',
  'A step of the run begins or changes: a service, a command, a deletion, the build of an image.',
  { type: type('step'), ...ofStep },
  { detail },
)

export const BuildLine = document(
  'build',
  'A build step begins or changes.',
  {
    type: type('build'),
    ...ofVertex,
    name: [t.string, 'what it does, for example `[2/3] RUN npm ci`'],
    state: [StepWord, 'its state'],
    cached: [t.boolean, 'its result was in the build cache'],
    ms: [t.number, 'milliseconds that the builder spent on it'],
  },
  { number, detail },
)

export const LogLines = document(
  'log',
  'Output of a build step.',
  { type: type('log'), ...ofVertex, text: [t.string, 'whole lines, separated by line breaks'] },
  { number },
)

export const TransferLine = document(
  'transfer',
  'Bytes that a build step has sent or received so far.',
  { type: type('transfer'), ...ofVertex, bytes: [t.number, 'bytes so far'] },
  {
    number,
    total: [t.number, 'total bytes'],
    files: [t.number, 'files so far'],
    bytesPerSecond: [t.number, 'the rate, once it can be measured'],
  },
)

export const LintLine = document('lint', 'A warning about a Dockerfile. It is reported again at the end.', {
  type: type('lint'),
  image: [t.string, 'name of the image or service'],
  diagnostic: [Diagnostic, 'the warning'],
})

export const SaidLine = document('said', 'What was done or decided.', {
  type: type('said'),
  text: [t.string, 'one line of text'],
})

export const FoundLine = document('found', 'A finding that is reported before the end.', {
  type: type('found'),
  diagnostic: [Diagnostic, 'the finding'],
})

export const OutputLine = document('output', 'Output of a command of the manifest.', {
  type: type('output'),
  source: [t.string, 'name of the command'],
  text: [t.string, 'what it printed'],
})

const Span = keys({
  text: [t.string, 'what the step was doing or waiting for'],
  ms: [t.number, 'total milliseconds'],
})

export const DurationsLine = document('durations', 'The end of the run: how long each step took.', {
  type: type('durations'),
  steps: [
    t.readonlyArray(
      keys(
        { ...ofStep, spans: [t.readonlyArray(Span), 'what its time was spent on, in the order it began'] },
        { detail },
      ),
    ),
    'all steps, in the order they began',
  ],
})

const StepCounts = keys({
  done: [t.number, 'steps that were done'],
  failed: [t.number, 'steps that failed'],
  skipped: [t.number, 'steps that were not begun because of others'],
  open: [t.number, 'steps that were neither done nor failed when the run ended'],
})

const FindingCounts = keys({
  error: [t.number, 'errors'],
  warning: [t.number, 'warnings'],
  note: [t.number, 'notes'],
})

const Duration = keys({ title: ofStep.title, state: ofStep.state, ms: [t.number, 'milliseconds it took'] })

export const EndLine = document(
  'end',
  'The last line of every run, whether it succeeded, failed or was interrupted.',
  {
    type: type('end'),
    status: [oneOf('succeeded', 'failed', 'interrupted'), 'how it ended'],
    exitStatus: [t.number, 'the exit status'],
    ms: [t.number, 'milliseconds that the run took'],
    durations: [t.readonlyArray(Duration), 'all steps, in the order they began'],
    steps: [StepCounts, 'how many steps there were'],
    findings: [FindingCounts, 'how many findings there were'],
    endpoints: [t.readonlyArray(t.string), 'public addresses of what was deployed'],
  },
  {
    environment: [t.string, 'name of the environment, after a deploy'],
    namespace: [t.string, 'its namespace'],
  },
)

export const progressDocuments = [
  StepLine,
  BuildLine,
  LogLines,
  TransferLine,
  LintLine,
  SaidLine,
  FoundLine,
  OutputLine,
  DurationsLine,
  EndLine,
] as const
