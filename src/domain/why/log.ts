/** The reason in the last lines of a log: programs report what they lack. */
import { closest } from '../text/suggest.ts'
import { type Cause, type LogContext, logLinesOf } from './cause.ts'
import { fileRules } from './log-files.ts'
import { programRules } from './log-programs.ts'
import type { LineMeaning, LogRule } from './log-rule.ts'

/** Messages of resolvers: Node.js, Go, libpq, curl, wget, busybox, MySQL, Java, nginx, PHP, redis-py. */
const unresolved: ReadonlyArray<RegExp> = [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\blookup ([\w.-]+)(?: on \S{1,60})?: (?:no such host|Temporary failure|server misbehaving)/,
  /could not translate host name "([\w.-]+)"/,
  /(?:Could not resolve host(?:name)?|unable to resolve host address):? ['"\u2018]?([\w.-]+)/,
  /bad address '([\w.-]+)/,
  /Unknown (?:MySQL|MariaDB)?\s?server host '([\w.-]+)'/,
  /UnknownHostException: ([\w.-]+)/,
  /host not found in upstream "([\w.-]+)/,
  /getaddrinfo for ([\w.-]+) failed/,
  /connecting to ([\w.-]+):\d+\. (?:Name or service not known|Temporary failure in name resolution)/,
  /Unable to canonicalize address ([\w.-]+)/,
  /(?:Temporary failure in name resolution|Name or service not known|nodename nor servname provided)[^'"]{0,40}['"]([\w.-]+)['"]/,
]

const mostNames = 8

const nameHelp = (name: string, services: ReadonlyArray<string>): string => {
  const near = closest(name, services)
  if (near !== undefined) return `did you mean the service "${near}"? Correct the name in the environment or command`
  // A single service is most likely the one that logs.
  if (services.length > 1 && services.length <= mostNames) return `the services are ${services.join(', ')}`
  return 'correct the name, or deploy the service that it stands for'
}

/** `web`, `web.team` and `web.team.svc.cluster.local` are names of the service `web`. */
const isService = (name: string, services: ReadonlyArray<string>): boolean =>
  services.some((service) => name === service || (name.startsWith(`${service}.`) && /\.svc(?:\.|$)/.test(name)))

const nameRules: ReadonlyArray<LogRule> = unresolved.map((words) => [
  words,
  ([, name = ''], { services }) =>
    isService(name, services)
      ? undefined
      : {
          code: 'DT3190',
          message: `the name ${name} does not exist`,
          help: name.includes('.')
            ? 'correct the name; one outside of the cluster has to resolve on its nodes'
            : nameHelp(name, services),
        },
])

/** Python does not say which name it was. */
const namelessRules: ReadonlyArray<LogRule> = [
  [
    /socket\.gaierror: \[Errno -\d+\]/,
    (_, { services }) => ({
      code: 'DT3190',
      message: 'a name that it connects to does not exist',
      help: nameHelp('', services),
    }),
  ],
]

const portHelp = 'let it listen on a port from 1024 up, such as 8080, or give it `cap_add: [NET_BIND_SERVICE]`'

const portRules: ReadonlyArray<LogRule> = [
  [
    /(?:bind\(\) to \S{1,80}:(\d+) failed \(13: Permission denied\)|EACCES: permission denied \S{0,80}:(\d+)|listen tcp\d? \S{0,80}:(\d+): bind: permission denied)/,
    ([, nginx, node, go]) => ({
      message: `it is not allowed to listen on port ${nginx ?? node ?? go}: ports below 1024 are for root`,
      help: portHelp,
    }),
  ],
  [
    /(?:bind\(\) to \S{1,80}:(\d+) failed \(\d+: Address (?:already )?in use\)|EADDRINUSE: address already in use \S{0,80}:(\d+)|listen tcp\d? \S{0,80}:(\d+): bind: address already in use)/,
    ([, nginx, node, go]) => ({
      message: `port ${nginx ?? node ?? go} is taken by another process of its pod`,
      help: 'check that the program is not started twice, and give each process of the pod its own port',
    }),
  ],
]

const rules: ReadonlyArray<LogRule> = [...nameRules, ...namelessRules, ...portRules, ...fileRules, ...programRules]

/** Longer lines are not interpreted. */
const longestLine = 2000

/** The newest line counts, and in a line the first rule. */
export const readLines = (lines: ReadonlyArray<string>, context: LogContext): LineMeaning | undefined => {
  for (const line of lines.toReversed()) {
    const text = line.slice(0, longestLine)
    for (const [words, read] of rules) {
      const match = words.exec(text)
      const found = match === null ? undefined : read(match, context)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Programs that end say why in a line that names an error; stack frames and explanations around it are indented. */
const telling =
  /^(?!\s).*(?:error|exception|fatal|panic|fail|cannot|can't|could ?n[o']t|unable|missing|invalid|denied|refused|no such|not (?:found|set|allowed)|required|must )/i
const longestTelling = 200

/** The last such line, in the words of the program. */
const lastWords = (lines: ReadonlyArray<string>): string | undefined =>
  lines.map((line) => line.slice(0, longestTelling)).findLast((line) => telling.test(line))

/** Codes of causes whose message says only that a program ended. */
const ended: ReadonlyArray<string> = ['DT3207', 'DT3218', 'DT3219']

/** Codes of causes that a log can explain further. */
const unexplained: ReadonlyArray<string> = ['DT3207', 'DT3209', 'DT3217', 'DT3218', 'DT3219', 'DT3221']

/** The cause, with the reason found in its log. */
export const readLog = (cause: Cause, logLines: ReadonlyArray<string>): Cause => {
  if (!unexplained.includes(cause.code)) return cause
  const lines = logLinesOf(logLines)
  const read = readLines(lines, cause.logContext ?? { services: [], mounts: [] })
  if (read === undefined) {
    const words = ended.includes(cause.code) ? lastWords(lines) : undefined
    return words === undefined ? cause : { ...cause, message: `${cause.message}: ${words}` }
  }
  const { code = cause.code, message, ...said } = read
  return { ...cause, ...said, code, message: `${cause.message}: ${message}` }
}
