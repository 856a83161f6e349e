/** Settings that a context remembers. */
import { readPullRegistry, readRemembered } from '../../app/project/settings.ts'
import { readBuilder } from '../../domain/build/address.ts'
import type { Checked } from '../../domain/checked.ts'
import * as C from '../../domain/checked.ts'
import type { ContextFields } from '../../domain/context/store.ts'
import { kubeconfig } from './cluster.ts'
import { parsed, text, type Values } from './flag.ts'
import { targetFlags } from './target.ts'
import { usage } from './usage.ts'

/** Stored as written: it is read again when images are built. Finds DT4020. */
const checkBuilder = (flag: string, written: string): Checked<string> =>
  written === '' ? C.ok(written) : C.map(() => written)(readBuilder(written, flag))

/** The token is sent in an HTTP header: spaces and line breaks in it are copy and paste errors. */
const checkToken = (flag: string, written: string): Checked<string> =>
  /^[!-~]*$/.test(written)
    ? C.ok(written)
    : C.fail(usage(`${flag}: the value is not a valid token`, 'a token has no spaces or line breaks'))

const { domain, ingressClass, registry, tlsSecret } = targetFlags('domain of public addresses')

const fieldFlags = {
  token: parsed(
    '--token',
    { value: 'TOKEN', about: 'API token of a platform; use DEVTOOL_TOKEN to keep it off the command line' },
    checkToken,
  ),
  namespace: text('-n,--namespace', { value: 'NAME', offers: 'namespaces', about: 'namespace of the context' }),
  builder: parsed(
    '--builder',
    { value: 'URL', about: 'address of the builder, such as tcp://buildkit:1234, or docker' },
    checkBuilder,
  ),
  registry,
  pullRegistry: text('--pull-registry', { value: 'HOST', about: 'the same registry, as seen from the cluster' }),
  domain,
  tlsSecret,
  ingressClass,
  agentImage: text('--agent-image', {
    value: 'IMAGE',
    about: 'image of Node.js for Debian that the agent of development containers is installed from',
  }),
}

export const rememberedFlags = { ...fieldFlags, kubeconfig }

/** Only the settings that were given. '' is kept: it removes the stored value. */
const present = (fields: { readonly [name: string]: string | undefined }): ContextFields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, given]) => (given === undefined ? [] : [[name, given]])))

const full = (fields: ContextFields): ContextFields =>
  Object.fromEntries(Object.entries(fields).filter(([, given]) => given !== ''))

/** Finds DT2001. */
export const fieldsOf = (given: Values<typeof fieldFlags>): Checked<ContextFields> => {
  const { builder, pullRegistry, token, ...settings } = given
  const fields = present({
    namespace: settings.namespace,
    domain: settings.domain,
    registry: settings.registry,
    tlsSecret: settings.tlsSecret,
    ingressClass: settings.ingressClass,
    agentImage: settings.agentImage,
  })
  const checks = C.struct({
    settings: readRemembered(full(fields)),
    pull: readPullRegistry(pullRegistry || undefined),
  })
  return C.map(() => ({ ...fields, ...present({ pullRegistry, builder, token }) }))(checks)
}
