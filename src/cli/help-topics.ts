/** Help topics for all commands: `devtool help variables`, `files` and `exit-status`, which is also below `status`. */

type Entry = readonly [name: string, about: string]

/** `title`: in the list of topics. `below`: the command whose help it is printed below. */
export type HelpTopic = {
  readonly title: string
  readonly below?: string
  readonly about: string
  readonly entries: ReadonlyArray<Entry>
  readonly more: string
}

export const helpTopics: ReadonlyMap<string, HelpTopic> = new Map([
  [
    'variables',
    {
      title: 'environment variables',
      about:
        'Environment variables that devtool reads. A flag takes precedence over its variable, and a variable over the context.',
      entries: [
        ['DEVTOOL_NAME', 'name of the environment (--name)'],
        ['DEVTOOL_CONTEXT', 'context (--context)'],
        ['DEVTOOL_NAMESPACE', 'namespace (--namespace)'],
        ['DEVTOOL_DOMAIN', 'domain of public addresses (--domain)'],
        ['DEVTOOL_REGISTRY', 'registry of built images (--registry)'],
        ['DEVTOOL_HOST_FILES', 'what becomes of host volumes (--host-files)'],
        ['DEVTOOL_CONFINED', '"true": no file outside of the project folder is read'],
        ['DEVTOOL_COMPOSE_VOLUME_AFFINITY_ENABLED', '"false": services that share a volume may run on different nodes'],
        ['DEVTOOL_AGENT_IMAGE', 'image of the agent in development containers (--agent-image)'],
        ['DEVTOOL_TOKEN', 'API token for the platform that DEVTOOL_CONTEXT or the command names'],
        ['DEVTOOL_RELEASE_URL', 'address of releases, which only version --check asks'],
        ['DEVTOOL_HOME', 'folder of contexts and logs, instead of ~/.devtool'],
        ['KUBECONFIG', 'kubeconfig files (--kubeconfig)'],
        ['BUILDKIT_HOST', 'builder: tcp://HOST:PORT, unix:///PATH or kube-pod://POD'],
        ['DEVTOOL_BUILDKIT_TLS_DIR', 'folder with the certificates for a builder at tcp://'],
        ['DEVTOOL_BUILDKIT_TLS_SERVER_NAME', 'name in the certificate of the builder, if its address differs'],
        [
          'DEVTOOL_KEEPALIVE_CLIENT_TIME_MS, DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS',
          'pings to an idle builder, see docs/images.md',
        ],
        ['DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM', '"true": pings also while nothing is asked of it'],
        ['DOCKER_HOST, DOCKER_CONTEXT', 'Docker daemon that builds when there is no BUILDKIT_HOST'],
        ['DOCKER_CONFIG', 'folder of the Docker configuration, with logins to registries'],
        ['DOCKER_CERT_PATH, DOCKER_TLS, DOCKER_TLS_VERIFY', 'TLS to the Docker daemon, as for docker'],
        ['SOURCE_DATE_EPOCH', 'time that is written into built images'],
        ['COMPOSE_FILE', 'Compose files, when there is no --file'],
        ['COMPOSE_PATH_SEPARATOR', 'what separates the files of COMPOSE_FILE'],
        ['COMPOSE_ENV_FILES', 'files with variables, when there is no --env-file'],
        ['COMPOSE_PROFILES', 'profiles, when there is no --profile'],
        ['COMPOSE_PROJECT_NAME', 'name of the environment, when there is no DEVTOOL_NAME'],
        ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY', 'proxies, also socks5://'],
        ['NO_PROXY', 'hosts that are reached without a proxy'],
        ['SSL_CERT_FILE, SSL_CERT_DIR, NODE_EXTRA_CA_CERTS', 'further certificate authorities'],
        ['NO_COLOR, FORCE_COLOR', 'never print colours, or always'],
        ['CI', 'if set, progress is plain lines, nothing is asked, and analytics are disabled'],
        ['DO_NOT_TRACK', 'if set, analytics are disabled'],
        ['DEVTOOL_NO_CODE_CACHE', '"1": no compiled code is kept in the cache folder of the user'],
      ],
      more: 'For ${NAME} in a Compose file, --var takes precedence over the shell, and the shell over --env-file or .env.',
    },
  ],
  [
    'files',
    {
      title: 'files that are deployed by default',
      about: 'The first of these that exists in the current folder is deployed, unless --file names another.',
      entries: [
        ['devtool.yml', 'the manifest, also devtool.yaml and in .devtool/'],
        ['COMPOSE_FILE', 'the files that this variable names'],
        [
          'compose.yaml',
          'Compose files: devtool-compose.yml, compose.yaml, compose.yml, docker-compose.yml or docker-compose.yaml with its override file, then the same in .devtool/',
        ],
        ['chart/', 'a Helm chart, also in charts/, helm/chart/ or helm/charts/'],
        ['k8s/', 'Kubernetes manifests or a kustomization, also in manifests/ or kubernetes/'],
        ['.env', 'variables, next to the first file'],
        ['~/.devtool', 'contexts and logs of devtool itself'],
      ],
      more: 'Relative paths in a file are relative to its folder, or to the parent of .devtool/.',
    },
  ],
  [
    'exit-status',
    {
      title: 'exit statuses',
      below: 'status',
      about: 'The exit status of every command is that of the first error; warnings change it only with --strict.',
      entries: [
        ['0', 'success'],
        ['1', 'something failed: a build, a workload, a command, or --diff found differences'],
        ['2', 'usage: an unknown command, flag or value'],
        ['3', 'a file is missing or invalid'],
        ['4', 'not logged in, or no permission'],
        ['5', 'a precondition is not met, such as a confirmation'],
        ['6', '--timeout ran out, whatever else is wrong'],
        ['7', 'a conflict: another run holds the lock, or an object belongs to somebody else'],
        ['8', 'the cluster, the builder or a registry cannot be reached'],
        ['70', 'a bug in devtool'],
        ['125', 'exec and up: the connection to the program was lost'],
        ['129, 130, 143', 'the terminal was closed, interrupted, terminated'],
      ],
      more: 'Run "devtool explain CODE" for the code of an error or a warning.',
    },
  ],
])
