/** Codes of builds. */

export const buildCodes = {
  DT4001: {
    status: 8,
    title: 'builder not reached',
    text: 'Nothing responds at the address of the builder, what responds is not BuildKit, or it refuses the connection. The builder is set by BUILDKIT_HOST, by the context (`--builder`), or is the local Docker daemon.',
  },
  DT4002: {
    status: 8,
    title: 'builder does not respond',
    text: 'The builder accepted the connection but did not answer within 20 s, or it stopped responding during the build: it may be frozen or overloaded. A step may be silent for as long as it likes, since the builder itself is still heard; when nothing has come from it for 15 s, it is asked for a sign of life and has 30 s to answer. DEVTOOL_KEEPALIVE_CLIENT_TIME_MS and DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS add pings of the connection, which notice it sooner.',
  },
  DT4003: {
    status: 8,
    title: 'connection to the builder lost',
    text: 'The connection to the builder broke during the build. Finished steps are in its cache; the next build continues from there.',
  },
  DT4004: {
    status: 1,
    title: 'build failed',
    text: 'The builder rejected the build or failed for a reason that has no code of its own. Its message is shown as it is.',
  },
  DT4005: {
    status: 3,
    title: 'Dockerfile cannot be read',
    text: 'The Dockerfile has a line that BuildKit does not understand, or no instructions at all.',
  },
  DT4006: {
    status: 1,
    title: 'step failed',
    text: 'A RUN step of the Dockerfile exited with a status other than 0. The last lines of its output are shown. 127: the command is not in the image; 126: it is not executable; 137: it was killed, usually because it ran out of memory.',
  },
  DT4007: {
    status: 3,
    title: 'no such stage',
    text: 'The target of the build, or a stage named by FROM or COPY --from, is not in the Dockerfile. A name that is not a stage is taken as an image.',
  },
  DT4008: {
    status: 1,
    title: 'base image not available',
    text: 'An image named by FROM or COPY --from, or the frontend of the `# syntax=` line, cannot be pulled: its name is wrong, its registry does not answer, or it requires credentials (`docker login HOST`). It is pulled by the builder, not by this machine.',
  },
  DT4009: {
    status: 3,
    title: 'not in the build context',
    text: 'A path named by COPY or ADD is not in the build context, or .dockerignore excludes it; or it is not in the stage or image named by --from.',
  },
  DT4010: {
    status: 3,
    title: 'file cannot be sent',
    text: 'A file of the build context, a secret or a key cannot be read. It is never replaced by an empty file.',
  },
  DT4011: {
    status: 1,
    title: 'image not pushed',
    text: 'The image was built, but the registry rejected it.',
  },
  DT4012: {
    status: 4,
    title: 'access to the registry denied',
    text: 'The registry requires credentials, or those of the Docker configuration do not allow this. `docker login HOST` stores others.',
  },
  DT4013: {
    status: 8,
    title: 'registry not reached',
    text: 'The image was built, but the registry to push it to does not answer, or the builder does not trust it.',
  },
  DT4014: {
    status: 1,
    title: 'disk of the builder is full',
    text: 'The builder has no disk space left. Free some with `buildctl prune` or `docker builder prune`.',
  },
  DT4015: {
    status: 3,
    title: 'secret missing',
    text: 'A build secret names a file or variable that does not exist, or a step needs a secret or SSH key that was not given (`--secret id=ID,src=FILE`).',
  },
  DT4016: {
    status: 130,
    title: 'build interrupted',
    text: 'The build was interrupted; the work of the running step is lost.',
  },
  DT4017: {
    status: 1,
    title: 'download failed',
    text: 'The builder could not download the source of an ADD, or a build context given as a URL. It is downloaded by the builder, not by this machine.',
  },
  DT4020: {
    status: 2,
    title: 'invalid builder address',
    text: 'BUILDKIT_HOST, --builder, DOCKER_HOST or the builder of the context is not a valid address. BuildKit: tcp://HOST:PORT, HOST:PORT, unix:///PATH, kube-pod://POD. Docker: unix:///PATH, tcp://HOST:PORT, ssh://HOST.',
  },
  DT4021: {
    status: 2,
    title: 'invalid keepalive setting',
    text: 'DEVTOOL_KEEPALIVE_CLIENT_TIME_MS and DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS are whole numbers of milliseconds, DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM is true or false.',
  },
  DT4022: {
    status: 5,
    title: 'no registry',
    text: 'A cluster that is not on this machine pulls images from a registry, but no registry is set.',
  },
  DT4023: {
    status: 3,
    title: 'builder certificates',
    text: 'The folder with the certificates for the builder lacks a file, or one of them cannot be read.',
  },
  DT4024: {
    status: 5,
    title: 'not supported by this builder',
    text: 'The builder does not support an option: the Docker daemon can only export cache inside images.',
  },
  DT4025: {
    status: 2,
    title: 'one image at a time',
    text: 'The flag applies to a single image, but several are to be built.',
  },
  DT4026: {
    status: 2,
    title: 'no such image',
    text: 'An image named on the command line is not in the file.',
  },
  DT4027: {
    status: 3,
    title: 'nothing to build',
    text: 'Neither the manifest nor any service has a `build`.',
  },
  DT4028: {
    status: 3,
    title: 'no Dockerfile',
    text: 'There is no Dockerfile at the given path, neither in the build context nor beside the file.',
  },
  DT4029: {
    status: 1,
    title: 'not loaded into the cluster',
    text: 'The tool of the local cluster (kind, k3d, minikube) could not load the image.',
  },
  DT4030: {
    status: 0,
    title: 'Docker configuration',
    text: 'The Docker configuration, or a credential helper that it names, cannot be used. Registries are accessed without credentials.',
  },
  DT4031: {
    status: 3,
    title: 'invalid build option',
    text: 'A build option has an invalid value: a platform, a secret, a cache entry, a host, the address of a context with a password that a builder would show, or a name that an image with another build also has.',
  },
  DT4032: {
    status: 3,
    title: 'build context',
    text: 'The build context does not exist, or is not a folder.',
  },
  DT4033: {
    status: 8,
    title: 'Docker daemon not reached',
    text: 'With --load, images are loaded into the Docker daemon of this machine (DOCKER_HOST, or the current context of the docker command), which is asked before the build. It does not answer.',
  },
  DT4034: {
    status: 1,
    title: 'image not loaded',
    text: 'The image was built, but the Docker daemon did not load it. Its message is shown as it is.',
  },
  DT4035: {
    status: 1,
    title: 'Dockerfile check found something',
    text: 'With `build --check`, warnings about Dockerfiles (DT4040) are a failure. A line `# check=skip=RULE` at the top of a Dockerfile turns a rule off.',
  },
  DT4040: {
    status: 0,
    title: 'Dockerfile check',
    text: 'BuildKit warns about a line of the Dockerfile; the URL in the message explains the rule.',
  },
  DT4041: {
    status: 0,
    title: 'large build context',
    text: 'More than 200 MB would be sent to the builder. Exclude what no step copies in a .dockerignore file.',
  },
  DT4042: {
    status: 0,
    title: 'unset variable in a build argument',
    text: 'A build argument refers to a variable that is only known during a build or deploy, such as ${DEVTOOL_BUILD_API_IMAGE}, and nothing sets it; it is passed as written.',
  },
  DT4043: {
    status: 0,
    title: 'two Dockerfiles',
    text: 'The Dockerfile is looked up in the build context first, then beside the manifest. It exists in both places, or only in the second.',
  },
  DT4044: {
    status: 0,
    title: 'cache not available',
    text: 'An image to import cache from cannot be pulled. The build continues without it.',
  },
  DT4050: {
    status: 0,
    title: 'image to be built',
    text: 'The image will be built on deploy, unless the registry already has one with the same content. A dry run builds nothing.',
  },
  DT4051: {
    status: 0,
    title: 'image without a name',
    text: 'A Dockerfile given on the command line was built without --tag, so the image was built but not pushed.',
  },
} as const
