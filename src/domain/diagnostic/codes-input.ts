/** Codes of mistakes in the user's files. */
const input = 3

export const inputCodes = {
  DT1001: {
    status: input,
    title: 'YAML syntax',
    text: 'The file is not valid YAML 1.2. The place is where the parser had to stop; the mistake is there or just before it: look for wrong indentation, a missing quote or bracket, or a tab.',
  },
  DT1002: {
    status: input,
    title: 'wrong type',
    text: 'The value does not have the type that the field takes, such as a list where a mapping is expected. `devtool explain FIELD` describes what a field takes. Put numbers and booleans in quotes where a string is expected.',
  },
  DT1003: {
    status: input,
    title: 'neither image nor build',
    text: 'A service needs an image: either name one with `image:`, or say how to build one with `build:`.',
  },
  DT1004: {
    status: input,
    title: 'unknown key',
    text: 'Neither devtool nor the Compose Specification knows this key, so it is probably misspelled. Keys that begin with `x-` are extensions and always allowed.',
  },
  DT1005: {
    status: input,
    title: 'duplicate key',
    text: 'A mapping has the same key twice. There is no way to tell which one is meant, so the file is refused.',
  },
  DT1006: {
    status: input,
    title: 'too large',
    text: 'A file is too large, nested too deeply, or expands to too many values through aliases, or the files of the project hold too much together. The limits are 16 MiB a file, 64 MiB and 1,000,000 values for all files, where what `extends`, `include`, `env_file`, aliases, `volumes_from`, ranges of ports, and `pre_start` or further names of a service copy counts each time and a long text counts once more for every 64 characters, 100 levels of values, 100 levels of included files, 1,000 included and 10,000 read files, chains of 500 `extends`, 20,000 services, and 256 KiB of labels or annotations for one object. Of more than 1,000 findings the first ones are listed and the others counted.',
  },
  DT1007: {
    status: input,
    title: 'file cannot be read',
    text: 'A file does not exist, is not a regular file, is not UTF-8 text, or cannot be read with your permissions. Paths are relative to the folder of the file that names them.',
  },
  DT1008: {
    status: input,
    title: 'outside the project folder',
    text: 'DEVTOOL_CONFINED is set, so only files inside the project folder are read. This path, or the target of the link, lies outside it.',
  },
  DT1009: {
    status: input,
    title: 'variable syntax',
    text: 'A `$` starts a variable with a syntax error. The valid forms are $NAME, ${NAME}, ${NAME:-default}, ${NAME-default}, ${NAME:?message}, ${NAME?message}, ${NAME:+other} and ${NAME+other}; write $$ for a literal dollar sign.',
  },
  DT1010: {
    status: input,
    title: 'required variable',
    text: 'A variable is required, by ${NAME:?message} or as the content of a secret or config, but has no value. Values come from --var, the shell environment, and --env-file or .env.',
  },
  DT1011: {
    status: 0,
    title: 'variable not set',
    text: 'A variable with neither a value nor a default is used, so it is replaced by an empty string. Write ${NAME:-} if that is what you want.',
  },
  DT1012: {
    status: input,
    title: 'unknown condition',
    text: 'The conditions of depends_on are service_started (the service is running), service_healthy (its health check passes, or one of its ports accepts connections) and service_completed_successfully (its Job has succeeded).',
  },
  DT1013: { status: input, title: 'unknown service', text: 'The file refers to a service that it does not define.' },
  DT1014: {
    status: input,
    title: 'dependency cycle',
    text: 'These services depend on each other in a cycle, so none of them could ever start. `links`, `volumes_from` and `network_mode: service:NAME` count as dependencies too.',
  },
  DT1015: {
    status: input,
    title: 'circular include',
    text: 'A file includes itself, or a service extends itself, directly or through others.',
  },
  DT1016: {
    status: input,
    title: 'nothing to extend',
    text: '`extends` names a service that the file does not define.',
  },
  DT1017: {
    status: input,
    title: 'defined twice',
    text: 'A file and one that it includes define the same name differently. Only override files (compose.override.yaml, or another --file) may change what was included.',
  },
  DT1018: {
    status: input,
    title: 'unknown value',
    text: 'The field takes one of a fixed set of values, and this is not one of them.',
  },
  DT1019: {
    status: input,
    title: 'invalid duration',
    text: 'A duration is one or more numbers, each with a unit: 90s, 1m30s, 500ms. The units are ns, us, ms, s, m, h, d and w.',
  },
  DT1020: {
    status: input,
    title: 'invalid size',
    text: 'A size is a number with a unit, in powers of 1024 as in Compose: 512m, 1.5g, 64kb, 5Gi.',
  },
  DT1021: { status: input, title: 'invalid number of CPUs', text: 'CPUs are given as a number such as 2 or 0.5.' },
  DT1022: {
    status: input,
    title: 'invalid quantity',
    text: '`resources` takes Kubernetes quantities: 250m or 0.5 for CPU, 512Mi or 1G for memory. Note that 512m of memory would be half a byte: write 512Mi.',
  },
  DT1023: {
    status: input,
    title: 'invalid port',
    text: 'A port is 8080, "8080:80", "127.0.0.1:8080:80", "53:53/udp", a range such as "8000-8010:8000-8010", or a mapping with `target`. Ports are between 1 and 65535, and both ranges must have the same length.',
  },
  DT1024: {
    status: input,
    title: 'invalid mount',
    text: 'A mount is name:/path, name:/path:ro, ./folder:/path or /path, or a mapping with `type`, `source` and `target`. The target must be an absolute path.',
  },
  DT1025: {
    status: input,
    title: 'not defined',
    text: 'A service uses a volume, config or secret that is not defined at the top level of the file.',
  },
  DT1026: {
    status: input,
    title: 'invalid image name',
    text: 'An image is [registry[:port]/]repository[:tag][@digest]; the repository must be in lower case.',
  },
  DT1027: {
    status: input,
    title: 'env file syntax',
    text: 'A line of an env file is NAME=value, a bare NAME, blank, or a comment that starts with #. Values may be in single or double quotes.',
  },
  DT1028: {
    status: input,
    title: 'invalid variable name',
    text: 'The name of a variable is empty, or contains a space or a character other than printable ASCII, which Kubernetes does not accept. A common cause is a space before the = sign.',
  },
  DT1029: {
    status: input,
    title: 'unclosed quote',
    text: 'A command written as a string is split into words as a shell would do it, and a quote in it is not closed.',
  },
  DT1030: {
    status: input,
    title: 'name conflict',
    text: 'Two names in the file become the same Kubernetes object, for example my_web and my-web, since names in Kubernetes may only have lower-case letters, digits and dashes. Rename one of them. The same goes for a container name that two services have, and for an alias that services have on different networks: all names of a namespace share one DNS zone, so each name means the same to every pod.',
  },
  DT1031: {
    status: input,
    title: 'invalid environment name',
    text: 'The name of the environment becomes part of host names and labels: lower-case letters, digits and dashes, beginning with a letter, at most 63 characters.',
  },
  DT1032: {
    status: input,
    title: 'invalid health check',
    text: 'A health check has either `test` or `http`. `test` is a list that begins with NONE, CMD or CMD-SHELL, or a string for the shell; `http` has a path that begins with / and a port.',
  },
  DT1033: {
    status: input,
    title: 'invalid endpoint',
    text: 'An endpoint rule has a path that begins with /, a service of this file, and one of the TCP ports of that service.',
  },
  DT1034: {
    status: input,
    title: 'conflicting routes',
    text: 'Two rules send the same host and path to different services.',
  },
  DT1035: {
    status: input,
    title: 'update policy not allowed',
    text: 'The annotation dev.devtool/update is rolling (Deployments and StatefulSets), recreate (Deployments only) or on-delete (StatefulSets only). A service with volumes is a StatefulSet.',
  },
  DT1036: {
    status: input,
    title: 'never completes',
    text: 'service_completed_successfully waits for a Job to succeed, but this service is always restarted. Give it `restart: "no"` or `restart: on-failure`.',
  },
  DT1037: {
    status: input,
    title: 'service not enabled',
    text: 'A service depends on another that is not enabled by the active profiles. Enable its profile with --profile, or write `required: false` beside the condition.',
  },
  DT1038: {
    status: input,
    title: 'conflicting values',
    text: 'Two values contradict each other, or one exceeds the limit that the other sets.',
  },
  DT1039: {
    status: 0,
    title: 'duplicate mount path',
    text: 'A container can only have one mount at each path, so the last one is used.',
  },
  DT1040: {
    status: input,
    title: 'shared volume cannot be placed',
    text: 'Services that share a volume run on the same node. That is impossible if their x-node-selector differ, or if one of them runs on every node (mode: global).',
  },
  DT1041: {
    status: input,
    title: 'invalid config or secret',
    text: 'A config or secret has exactly one of `file`, `content` and `environment`, or is external; its content must fit into one object of at most 1 MB.',
  },
  DT1042: {
    status: input,
    title: 'no file found',
    text: 'This folder has no manifest, Compose file, Helm chart or Kubernetes manifests. Name a file with --file, or change to the folder that has one.',
  },
  DT1043: {
    status: input,
    title: 'manifest instead of a Compose file',
    text: 'The file is a devtool manifest, since it has a section such as deploy or build. A manifest cannot be included, nor be one of the Compose files of another manifest.',
  },
  DT1044: {
    status: input,
    title: 'nothing to deploy',
    text: 'The file is empty, or the active profiles enable none of its services.',
  },
  DT1046: {
    status: input,
    title: 'external with other keys',
    text: 'Something external already exists and is used as it is, so no other key may describe it.',
  },
  DT1047: {
    status: input,
    title: 'alias without anchor',
    text: 'An alias (*name) refers to an anchor (&name) that comes later, does not exist, or contains the alias itself.',
  },
  DT1048: {
    status: 0,
    title: 'unknown tag',
    text: 'A tag that neither Compose (!reset, !override) nor YAML (!!str, !!int, !!float, !!bool, !!null, !!map, !!seq) gives a meaning. It has no effect: text is read as it is written, so !!binary is not decoded.',
  },
} as const
