/** Log lines of databases, runtimes and servers that lack something: memory, modules, a password, trust. */
import { keysOf } from './keys.ts'
import type { LogRule } from './log-rule.ts'

const databaseRules: ReadonlyArray<LogRule> = [
  [
    /initialized by PostgreSQL version ([\d.]+), which is not compatible with this version ([\d.]+\d)/,
    ([, old = '', now = '']) => ({
      message: `its volume holds the data of PostgreSQL ${old}, and this is PostgreSQL ${now}`,
      help: `go back to an image of version ${old}, or dump the data with it and load the dump into a new volume`,
    }),
  ],
  [
    /^initdb: error: directory "([^"]{1,500})" exists but is not empty/,
    ([, folder = '']) => ({
      message: `${folder} is not empty, so PostgreSQL does not create a database there`,
      help: `name a folder below it: PGDATA=${folder}/pgdata`,
    }),
  ],
  [
    /(?:database "([^"]{1,100})" does not exist|Unknown database '([^']{1,100})')/,
    ([, postgres, mysql]) => ({
      message: `the server has no database ${postgres ?? mysql}`,
      help: 'correct the name, or create it; images of databases create one (POSTGRES_DB, MYSQL_DATABASE) only at their first start, while their volume is empty',
    }),
  ],
  [
    /Database is uninitialized and (?:superuser )?password (?:option )?is not specified/,
    ({ input }) => ({
      message: 'the database wants a password for its first start',
      help: `set ${input.includes('superuser') ? 'POSTGRES_PASSWORD' : 'MYSQL_ROOT_PASSWORD (MARIADB_ROOT_PASSWORD)'} under \`environment\` of the service`,
    }),
  ],
  [
    /\b(?:NOAUTH|WRONGPASS)\b|MongoServerError: Authentication failed/,
    () => ({
      message: 'the database does not accept its password, or it gives none',
      help: 'check user and password in the environment; a database with a volume keeps those of its first start',
    }),
  ],
  [
    /(?:SSL is not enabled on the server|server does not support SSL)/,
    () => ({
      message: 'it wants TLS, which the database does not offer',
      help: 'let it connect without: sslmode=disable in the URL of PostgreSQL, which is usual inside of a cluster',
    }),
  ],
  [
    /(?:password authentication failed for user "([^"]{1,100})"|Access denied for user '([^']{1,100})'@)/,
    ([, postgres, mysql]) => ({
      message: `the database does not accept the password of the user ${postgres ?? mysql}`,
      help: 'check the password in the environment; a database keeps the one of its first start in its volume, whatever the variables say later',
    }),
  ],
]

const connectionRules: ReadonlyArray<LogRule> = [
  [
    /(?:connect ECONNREFUSED (127\.0\.0\.1|::1):(\d+)|dial tcp (127\.0\.0\.1|\[::1\]):(\d+): connect: connection refused|connection to server at "(localhost|127\.0\.0\.1)"(?: \([\d.:]+\))?, port (\d+) failed: Connection refused)/,
    ([, node, nodePort, go, goPort, libpq, libpqPort]) => {
      const [host, port] = [node ?? go ?? libpq, nodePort ?? goPort ?? libpqPort]
      return {
        message: `nothing listens on port ${port} of ${host}, which is its own pod`,
        help: `use the name of the service that listens on port ${port} instead of ${host}`,
      }
    },
  ],
  [
    /(?:connect ECONNREFUSED [\d.]+:(\d+)|dial tcp [\d.]+:(\d+): connect: connection refused|connection to server at "([\w.-]{1,200})"(?: \([^)]{1,60}\))?, port (\d+) failed: Connection refused)/,
    ([, node, go, name = 'a service', libpq]) => ({
      message: `${name} does not accept connections on port ${node ?? go ?? libpq}`,
      help: 'correct the port if it is another one; to wait for a service that takes longer to start, give it a healthcheck and use depends_on with condition: service_healthy',
    }),
  ],
  [
    /x509: certificate signed by unknown authority|unable to get local issuer certificate|self[- ]signed certificate|certificate verify failed|UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    ({ input }) => {
      const [, host = 'a server'] = /https:\/\/([\w.-]+)/.exec(input) ?? []
      return {
        message: `it does not trust the certificate of ${host}`,
        help: 'install ca-certificates in the image, or give it the authority of the server as a file (SSL_CERT_FILE; for Node NODE_EXTRA_CA_CERTS)',
      }
    },
  ],
]

const runtimeRules: ReadonlyArray<LogRule> = [
  [
    /JavaScript heap out of memory|java\.lang\.OutOfMemoryError/,
    ([words]) => ({
      code: 'DT3208',
      message: 'it has used up the memory that its runtime allows it',
      help:
        words === 'JavaScript heap out of memory'
          ? `raise the memory limit (${keysOf('limits.memory')}), and with it NODE_OPTIONS=--max-old-space-size=MEGABYTES`
          : `raise the memory limit (${keysOf('limits.memory')}), and with it -Xmx or -XX:MaxRAMPercentage`,
    }),
  ],
  [
    /Cannot find (?:module|package) '([^']{1,300})'/,
    ([, module = '']) => ({
      message: `the module ${module} is not in the image`,
      help: module.startsWith('/')
        ? 'check that the Dockerfile copies the file, and `command` and `working_dir`; a volume hides what the image has in its place'
        : 'install it when the image is built; production installs leave out devDependencies',
    }),
  ],
  [
    /can't open file '([^']{1,300})': \[Errno 2\]|Unable to access jarfile (\S{1,300})/,
    ([, script, jar]) => ({
      message: `the file ${script ?? jar} is not in the image`,
      help: 'check that the Dockerfile copies the file, and `command` and `working_dir`; a volume hides what the image has in its place',
    }),
  ],
  [
    /npm (?:error|ERR!) Missing script: "([^"]{1,100})"/,
    ([, script = '']) => ({
      message: `package.json has no script "${script}"`,
      help: 'correct `command`, or add the script; `working_dir` decides which package.json is read',
    }),
  ],
  [
    /ModuleNotFoundError: No module named '([^']{1,300})'/,
    ([, module = '']) => ({
      message: `the Python module ${module} is not in the image`,
      help: 'install it when the image is built (requirements.txt, pyproject.toml); one of your own needs `working_dir` or PYTHONPATH',
    }),
  ],
]

const nodeRules: ReadonlyArray<LogRule> = [
  [
    /vm\.max_map_count \[(\d+)\] is too low, increase to at least \[(\d+)\]/,
    ([, now, wanted]) => ({
      message: `vm.max_map_count of the node is ${now}, and it needs ${wanted}`,
      help: `a cluster administrator sets it on the nodes (sysctl -w vm.max_map_count=${wanted}); for development, discovery.type=single-node does without`,
    }),
  ],
  [
    /number of file watchers reached|inotify.{0,100}(?:no space left on device|too many open files)/i,
    () => ({
      message: 'the node has no file watcher left (inotify)',
      help: 'a cluster administrator raises fs.inotify.max_user_watches and max_user_instances on the nodes; polling needs none',
    }),
  ],
  [
    /no space left on device/i,
    () => ({
      message: 'there is no space left on one of its volumes or on the disk of the node',
      help: 'enlarge the volume (`size` in its driver_opts) or the tmpfs (its `size`), or remove what is not needed',
    }),
  ],
]

const variableRules: ReadonlyArray<LogRule> = [
  /\bKeyError: '([A-Z][A-Z0-9_]{1,100})'/,
  /\bkey not found: "([A-Z][A-Z0-9_]{1,100})"/,
  /\benvironment variables?(?: not found| is missing| missing)?:? ["'`]?([A-Z][A-Z0-9_]{2,100})\b/i,
  /\brequired key ([A-Z][A-Z0-9_]{1,100}) missing value/,
  /\b([A-Z]{1,40}_[A-Z0-9_]{1,80})["'`]? (?:is not set|is required|must be set|is missing|is not defined|not found in)/,
].map((words) => [
  words,
  ([, name = '']) => ({
    message: `the variable ${name} is not set`,
    help: `set ${name} under \`environment\` of the service, or in its env_file`,
  }),
])

export const programRules: ReadonlyArray<LogRule> = [
  ...databaseRules,
  ...connectionRules,
  ...runtimeRules,
  ...variableRules,
  ...nodeRules,
]
