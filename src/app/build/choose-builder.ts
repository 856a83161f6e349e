/** Chooses the builder: BUILDKIT_HOST, else that of the context, else the Docker daemon of this machine. */
import { type BuilderAddress, type DockerHost, readBuilder } from '../../domain/build/address.ts'
import { readDockerHost } from '../../domain/build/docker-host.ts'
import { type Keepalive, readKeepalive } from '../../domain/build/keepalive.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { BuilderChoice } from '../../ports/builder.ts'

const tlsOf = (shell: ReadonlyMap<string, string>): Pick<BuilderChoice, 'tls'> => {
  const folder = shell.get('DEVTOOL_BUILDKIT_TLS_DIR') ?? ''
  const serverName = shell.get('DEVTOOL_BUILDKIT_TLS_SERVER_NAME') ?? ''
  return folder === '' ? {} : { tls: { folder, ...(serverName === '' ? {} : { serverName }) } }
}

/**
 * A daemon named by a variable is read here, so that a mistake in it is reported as the user's. The adapter finds any
 * other daemon.
 */
const withDaemon = (address: BuilderAddress, shell: ReadonlyMap<string, string>): Checked<BuilderAddress> =>
  address._tag === 'Docker' && (shell.get('DOCKER_HOST') ?? '') !== ''
    ? C.map((host: DockerHost): BuilderAddress => ({ _tag: 'Docker', host }))(readDockerHost((name) => shell.get(name)))
    : C.ok(address)

/** `remembered`: the builder of the context. Finds DT4020, DT4021. */
export const chooseBuilder = (
  shell: ReadonlyMap<string, string>,
  remembered: string | undefined,
): Checked<BuilderChoice> => {
  const host = shell.get('BUILDKIT_HOST') ?? ''
  const [text, from] = host === '' ? [remembered || 'docker', 'the builder of the context'] : [host, 'BUILDKIT_HOST']
  const keepalive = readKeepalive((name) => shell.get(name))
  const address = C.andThen((read: BuilderAddress) => withDaemon(read, shell))(readBuilder(text, from))
  return C.andThen((known: BuilderAddress) =>
    C.map((alive: Keepalive): BuilderChoice => ({ address: known, keepalive: alive, ...tlsOf(shell) }))(keepalive),
  )(address)
}
