/** Codes of mistakes in the user's files. */
const input = 3

export const inputCodes = {
  DT1001: {
    status: input,
    title: 'YAML syntax',
    text: 'The file is no YAML 1.2. The place is where the parser could not go on; the mistake is there or shortly before it: look for indentation, a missing quote or bracket, or a tab.',
  },
  DT1002: {
    status: input,
    title: 'wrong form',
    text: 'A value has another form than the field takes, such as a list where a mapping is needed. `devtool explain FIELD` tells what a field takes. Numbers and booleans where text is needed are written in quotes.',
  },
  DT1003: {
    status: input,
    title: 'neither image nor build',
    text: 'A service needs an image: either `image:` names one, or `build:` says how it is made.',
  },
  DT1004: {
    status: input,
    title: 'unknown key',
    text: 'Neither devtool nor the Compose Specification knows the key, so it is probably mistyped. Keys that begin with `x-` are extensions and always allowed.',
  },
  DT1005: {
    status: input,
    title: 'duplicate key',
    text: 'A mapping has the same key twice. Which of the two is meant cannot be known, so the file is refused.',
  },
  DT1006: {
    status: input,
    title: 'too large',
    text: 'The file is larger, nested deeper, or stands for more values through aliases than a Compose file ever should. The limits are 16 MiB, 1,500,000 values, 100 levels, 1,000,000 values through aliases, and 1,000 included files.',
  },
  DT1007: {
    status: input,
    title: 'file cannot be read',
    text: 'A file that is named does not exist, is no regular file, is not UTF-8 text, or may not be read. Paths are relative to the folder of the file that names them.',
  },
  DT1008: {
    status: input,
    title: 'outside the project folder',
    text: 'DEVTOOL_CONFINED is set, so that only files inside the project folder are read, and the path (or the link it leads to) lies outside.',
  },
  DT1009: {
    status: input,
    title: 'variable syntax',
    text: 'A `$` begins a variable that is not written correctly. The forms are $NAME, ${NAME}, ${NAME:-default}, ${NAME-default}, ${NAME:?message}, ${NAME?message}, ${NAME:+other} and ${NAME+other}; a dollar sign is written $$.',
  },
  DT1010: {
    status: input,
    title: 'required variable',
    text: 'A variable that is required, by ${NAME:?message} or as the content of a secret or config, has no value. Values come from --var, the environment, and --env-file or .env.',
  },
  DT1011: {
    status: input,
    title: 'variable not set',
    text: 'A variable without a value and without a default was used: an empty text stands in its place. Write ${NAME:-} where that is meant.',
  },
  DT1012: {
    status: input,
    title: 'unknown condition',
    text: 'The conditions of depends_on are service_started (running), service_healthy (its health check passes, or a port answers) and service_completed_successfully (a Job has ended well).',
  },
  DT1013: { status: input, title: 'unknown service', text: 'A service is named that the file does not define.' },
  DT1014: {
    status: input,
    title: 'services wait for each other',
    text: 'The services in the ring wait for each other, so none of them could ever start. Links, volumes_from and network_mode: service:… count as well.',
  },
  DT1015: {
    status: input,
    title: 'files go in a circle',
    text: 'A file includes itself, or a service extends itself, by way of others.',
  },
  DT1016: { status: input, title: 'nothing to extend', text: 'extends names a service that the file does not define.' },
  DT1017: {
    status: input,
    title: 'defined twice',
    text: 'A file and a file that it includes define the same name differently. Override files (compose.override.yaml, or a further --file) may change what was included.',
  },
  DT1018: {
    status: input,
    title: 'unknown value',
    text: 'The field takes only certain values, and this is none of them.',
  },
  DT1019: {
    status: input,
    title: 'no duration',
    text: 'A duration is one or more numbers, each with a unit: 90s, 1m30s, 500ms. The units are ns, us, ms, s, m, h, d and w.',
  },
  DT1020: {
    status: input,
    title: 'no size',
    text: 'A size is a number with a unit, in powers of 1024 as in Compose: 512m, 1.5g, 64kb, 5Gi.',
  },
  DT1021: { status: input, title: 'no number of CPUs', text: 'CPUs are a number such as 2 or 0.5.' },
  DT1022: {
    status: input,
    title: 'no quantity',
    text: '`resources` takes Kubernetes quantities: 250m or 0.5 of CPU, 512Mi or 1G of memory. There 512m is half a byte: use 512Mi.',
  },
  DT1023: {
    status: input,
    title: 'no port',
    text: 'A port is 8080, "8080:80", "127.0.0.1:8080:80", "53:53/udp" or a range such as "8000-8010:8000-8010", or a mapping with target. Ports are from 1 to 65535, and both ranges have the same length.',
  },
  DT1024: {
    status: input,
    title: 'no mount',
    text: 'A mount is name:/path, name:/path:ro, ./folder:/path or /path, or a mapping with type, source and target. The target is an absolute path.',
  },
  DT1025: {
    status: input,
    title: 'not defined',
    text: 'A service mounts a volume, config or secret that the top level of the file does not define.',
  },
  DT1026: {
    status: input,
    title: 'no image name',
    text: 'An image is [registry[:port]/]repository[:tag][@digest]; the repository is in lower case.',
  },
  DT1027: {
    status: input,
    title: 'env file syntax',
    text: 'A line of an env file is NAME=value, a bare NAME, blank, or a # comment. Values may be in single or double quotes.',
  },
  DT1028: {
    status: input,
    title: 'no variable name',
    text: 'The name of a variable is empty, or has a blank or another character that no variable can have. A common cause is a blank before the = sign.',
  },
  DT1029: {
    status: input,
    title: 'open quote',
    text: 'A command that is written as one text is split into words as a shell would, and a quote in it is not closed.',
  },
  DT1030: {
    status: input,
    title: 'two objects of one name',
    text: 'Two names of the file lead to the same Kubernetes object, for example my_web and my-web: names in Kubernetes have only lower-case letters, digits and dashes. Rename one of them.',
  },
  DT1031: {
    status: input,
    title: 'no environment name',
    text: 'The name of the environment becomes part of host names and labels: lower-case letters, digits and -, beginning with a letter, at most 63 characters.',
  },
  DT1032: {
    status: input,
    title: 'no health check',
    text: 'A health check has either test or http. A test is a list that begins with NONE, CMD or CMD-SHELL, or one text for the shell; http has a path that begins with / and a port.',
  },
  DT1033: {
    status: input,
    title: 'no endpoint',
    text: 'An endpoint rule has a path that begins with /, a service of the file and one of the TCP ports of that service.',
  },
  DT1034: {
    status: input,
    title: 'two answers for one address',
    text: 'Two rules lead the same host and path to different services.',
  },
  DT1035: {
    status: input,
    title: 'update policy not allowed',
    text: 'The annotation dev.devtool/update is rolling (Deployments and StatefulSets), recreate (Deployments only) or on-delete (StatefulSets only). A service with volumes is a StatefulSet.',
  },
  DT1036: {
    status: input,
    title: 'never completes',
    text: 'service_completed_successfully waits for a Job, and the service is restarted always. Give it restart: "no" or on-failure.',
  },
  DT1037: {
    status: input,
    title: 'switched off',
    text: 'A service depends on one that its profiles switch off. Switch it on with --profile, or write required: false beside the condition.',
  },
  DT1038: {
    status: input,
    title: 'contradiction',
    text: 'Two values exclude each other: they say different things, or one is beyond the limit that the other sets.',
  },
  DT1039: { status: input, title: 'two mounts at one path', text: 'A container can have one mount at a path.' },
  DT1040: {
    status: input,
    title: 'volumes keep pods apart',
    text: 'Services that share a volume run on the same node. That cannot be when their x-node-selector differ, or when one of them runs on every node (mode: global).',
  },
  DT1041: {
    status: input,
    title: 'no content',
    text: 'A config or secret has exactly one of file, content and environment, or is external; it fits into one object of at most 1 MB.',
  },
  DT1042: {
    status: input,
    title: 'no file found',
    text: 'There is neither a manifest nor a Compose file here, nor a Helm chart or Kubernetes manifests. Name a file with --file, or change to the folder that has it.',
  },
  DT1043: {
    status: input,
    title: 'manifest where a Compose file is needed',
    text: 'The file is a devtool manifest: it has a section such as deploy or build. A manifest is read by itself, it cannot be included or be one of the Compose files of another manifest.',
  },
  DT1044: { status: input, title: 'nothing to deploy', text: 'The file is empty, or has no services.' },
  DT1046: {
    status: input,
    title: 'external and more',
    text: 'What is external exists already and is used as it is: nothing else can be said about it.',
  },
  DT1047: {
    status: input,
    title: 'alias without anchor',
    text: 'An alias (*name) refers to an anchor (&name) that stands later, does not exist, or contains the alias.',
  },
  DT1048: {
    status: input,
    title: 'unknown tag',
    text: 'Compose knows the tags !reset and !override; YAML itself knows !!str, !!int, !!float, !!bool, !!null, !!map and !!seq.',
  },
} as const
