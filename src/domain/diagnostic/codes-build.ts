/** Codes of builds. */

export const buildCodes = {
  DT4001: {
    status: 8,
    title: 'builder not reached',
    text: 'Nobody answers at the address of the builder, or who answers is no BuildKit, or does not let us in. BUILDKIT_HOST, the context (`--builder`) or the local Docker daemon say where it is.',
  },
  DT4002: {
    status: 8,
    title: 'builder is silent',
    text: 'The builder accepted the connection but did not answer in time, or did not answer a keepalive ping (DEVTOOL_KEEPALIVE_CLIENT_TIME_MS, DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS): it may be frozen or overloaded.',
  },
  DT4003: {
    status: 8,
    title: 'builder was lost',
    text: 'The connection to the builder broke while it built. What it had done is in its cache; the next build goes on from there.',
  },
  DT4004: {
    status: 1,
    title: 'build failed',
    text: 'The builder refused or failed for a reason that has no code of its own. Its message is shown as it came.',
  },
  DT4005: {
    status: 3,
    title: 'Dockerfile cannot be read',
    text: 'The Dockerfile has a line that BuildKit does not understand, or no instructions at all.',
  },
  DT4006: {
    status: 1,
    title: 'step failed',
    text: 'A RUN step of the Dockerfile ended with another status than 0. Its last lines are shown. 127: the command is not in the image; 126: it cannot be run; 137: it was killed, mostly for lack of memory.',
  },
  DT4007: {
    status: 3,
    title: 'no such stage',
    text: 'The target of the build, or a stage that FROM or COPY --from names, is not in the Dockerfile. A name that is no stage is taken for an image.',
  },
  DT4008: {
    status: 1,
    title: 'base image not there',
    text: 'An image that the Dockerfile begins with, or copies from, or the frontend of its `# syntax=` line, cannot be fetched: its name is wrong, its registry does not answer, or it wants credentials (`docker login HOST`). The builder asks the registry, not this machine.',
  },
  DT4009: {
    status: 3,
    title: 'not in the context',
    text: 'A path that COPY or ADD names is not in the build context, or .dockerignore leaves it out; or it is not in the stage or image that --from names.',
  },
  DT4010: {
    status: 3,
    title: 'cannot be sent',
    text: 'A file of the build context, a secret or a key cannot be read. It is never sent as an empty file.',
  },
  DT4011: {
    status: 1,
    title: 'image not pushed',
    text: 'The image was built, and the registry did not take it.',
  },
  DT4012: {
    status: 4,
    title: 'registry denies',
    text: 'The registry wants credentials, or those of the Docker configuration may not do this. `docker login HOST` stores others.',
  },
  DT4013: {
    status: 8,
    title: 'registry not reached',
    text: 'The image was built, and the registry to push it to does not answer, or not in a way that the builder trusts.',
  },
  DT4014: {
    status: 1,
    title: 'builder is full',
    text: 'The builder has no room left on its disk. `buildctl prune`, or `docker builder prune`, makes some.',
  },
  DT4015: {
    status: 3,
    title: 'secret not there',
    text: 'A secret of the build names a file or variable that is not there, or a step wants a secret or an SSH key that the build does not have (`--secret id=ID,src=FILE`).',
  },
  DT4016: {
    status: 130,
    title: 'build interrupted',
    text: 'The build was interrupted; the step that was running is gone.',
  },
  DT4017: {
    status: 1,
    title: 'not downloaded',
    text: 'The builder could not download what an ADD names, or a build context that is a URL. It is the builder that asks for it, not this machine.',
  },
  DT4020: {
    status: 2,
    title: 'address of the builder',
    text: 'BUILDKIT_HOST, --builder, DOCKER_HOST or the builder of the context is no address. BuildKit: tcp://HOST:PORT, HOST:PORT, unix:///PATH, kube-pod://POD. Docker: unix:///PATH, tcp://HOST:PORT, ssh://HOST.',
  },
  DT4021: {
    status: 2,
    title: 'keepalive setting',
    text: 'DEVTOOL_KEEPALIVE_CLIENT_TIME_MS and DEVTOOL_KEEPALIVE_CLIENT_TIMEOUT_MS are whole milliseconds, DEVTOOL_KEEPALIVE_CLIENT_PERMIT_WITHOUT_STREAM is true or false.',
  },
  DT4022: {
    status: 5,
    title: 'no registry',
    text: 'Images of a cluster that is not on this machine go through a registry, and none is named.',
  },
  DT4023: {
    status: 3,
    title: 'certificates of the builder',
    text: 'The folder with the certificates for the builder lacks a file, or one of them cannot be read.',
  },
  DT4024: {
    status: 5,
    title: 'not with this builder',
    text: 'The builder at hand does not know an option: the Docker daemon exports cache only within images.',
  },
  DT4025: {
    status: 2,
    title: 'one image at a time',
    text: 'A flag is about one image, and several are to be built.',
  },
  DT4026: {
    status: 2,
    title: 'no such image',
    text: 'An image named on the command line is not in the file.',
  },
  DT4027: {
    status: 3,
    title: 'nothing to build',
    text: 'Neither the manifest nor a service has a `build`.',
  },
  DT4028: {
    status: 3,
    title: 'no Dockerfile',
    text: 'There is no Dockerfile where the build says, neither in the context nor beside the file.',
  },
  DT4029: {
    status: 1,
    title: 'not loaded into the cluster',
    text: 'The tool of the local cluster (kind, k3d, minikube) could not take the image.',
  },
  DT4030: {
    status: 0,
    title: 'Docker configuration',
    text: 'The Docker configuration, or a credential helper that it names, cannot be used. Registries are asked without credentials.',
  },
  DT4031: {
    status: 3,
    title: 'build option',
    text: 'A value of a build option cannot be meant: a platform, a secret, a cache entry, a host, or a name that an image with another build has, too.',
  },
  DT4032: {
    status: 3,
    title: 'build context',
    text: 'The build context is not there, or is no folder.',
  },
  DT4040: {
    status: 0,
    title: 'advice on the Dockerfile',
    text: 'BuildKit warns of a line of the Dockerfile; the address it gives explains the rule.',
  },
  DT4041: {
    status: 0,
    title: 'large context',
    text: 'More than 200 MB would be sent to the builder. A .dockerignore keeps out what no step copies.',
  },
  DT4042: {
    status: 0,
    title: 'variable of a build argument',
    text: 'A build argument holds a variable that only a running build or deploy knows, such as ${DEVTOOL_BUILD_API_IMAGE}, and nothing gives it a value; it stays as it is written.',
  },
  DT4043: {
    status: 0,
    title: 'two Dockerfiles',
    text: 'The Dockerfile is looked for in the build context, then beside the manifest. There is one in both places, or only in the second.',
  },
  DT4044: {
    status: 0,
    title: 'cache not there',
    text: 'An image to take cache from cannot be had. The build goes on without.',
  },
  DT4050: {
    status: 0,
    title: 'image to be built',
    text: 'The image is built when it is deployed, unless the registry has one of the same content. A dry run builds nothing.',
  },
  DT4051: {
    status: 0,
    title: 'image without a name',
    text: 'A Dockerfile from the command line was built without --tag: it is built, for its cache and to see that it can be, and pushed nowhere.',
  },
} as const
