/** Codes of the platform's API, in its answers and in the commands that call it. */

export const platformCodes = {
  DT6001: {
    status: 4,
    title: 'not logged in',
    text: 'The request to the platform has no token. Log in with `devtool context use URL`, or give an API token with --token or DEVTOOL_TOKEN.',
  },
  DT6002: {
    status: 4,
    title: 'token not valid',
    text: 'The platform does not accept the token: it has a typing mistake, has expired, was revoked, or its user was disabled. Log in again, or create another token.',
  },
  DT6003: {
    status: 4,
    title: 'not allowed on the platform',
    text: 'The token is valid, but its scope or the role of its user does not allow the request. The message says what is needed.',
  },
  DT6004: {
    status: 5,
    title: 'not on the platform',
    text: 'The platform has nothing of this name that is open to you. Objects to which you have no access get the same answer as missing ones.',
  },
  DT6005: {
    status: 2,
    title: 'request not valid',
    text: 'The platform rejects the request as it is written. The message names the part that is wrong, and what is expected there.',
  },
  DT6006: {
    status: 7,
    title: 'name not available',
    text: 'The name is taken, reserved, or too close to the name of another namespace, or somebody else changed the object at the same time.',
  },
  DT6007: {
    status: 8,
    title: 'too many requests',
    text: 'The platform limits the requests of each user and of each address. The answer says after how long to try again.',
  },
  DT6008: {
    status: 5,
    title: 'devtool too old for the platform',
    text: 'The platform does not work with this version of devtool any more. Update devtool.',
  },
  DT6009: {
    status: 8,
    title: 'platform not working',
    text: 'The platform could not carry out the request, because its cluster cannot be reached or rejected what the platform asked. An administrator finds the request id in the log of the platform.',
  },
  DT6010: {
    status: 2,
    title: 'method not supported',
    text: 'The path exists in the API of the platform, but not with this method.',
  },
  DT6011: {
    status: 3,
    title: 'platform program cannot start',
    text: 'A program of the platform was given settings that it cannot work with, or cannot listen on its ports. Its settings are environment variables and files that the installation sets.',
  },
  DT6012: {
    status: 4,
    title: 'login not completed',
    text: 'The login was refused, took too long, or was completed before: a code works once and for a short time. The message says which; begin again with `devtool context use URL`. An address is refused that is neither that of an administrator nor in a domain or group that the installation admits (`--allow-domain` and `--allow-group` of `devtool platform install`).',
  },
  DT6021: {
    status: 4,
    title: 'no build service',
    text: 'The platform was installed without a build service (`--builder none`). Name a builder with BUILDKIT_HOST or in the context, or build with the local Docker daemon. In a run, which has no Docker daemon, the variable BUILDKIT_HOST of the namespace names a builder; or build the images in CI, and use them with `image`.',
  },
  DT6022: {
    status: 8,
    title: 'build service not ready',
    text: 'No pod of the build service of the platform is ready, so nothing can be built there now. Builds wait up to a minute for a pod that is being replaced. Administrators see why with `devtool why --name builder --namespace devtool-builder`.',
  },
} as const
