/** The flags of commands that choose a context: what is to be remembered of it. */
import { Option } from 'clipanion'
import { readPullRegistry, readRemembered } from '../app/project/settings.ts'
import { readBuilder } from '../domain/build/address.ts'
import type { Checked } from '../domain/checked.ts'
import * as C from '../domain/checked.ts'
import type { Fields } from '../domain/context/store.ts'
import { DevtoolCommand } from './base.ts'
import { usage } from './mistake.ts'

/** As it is written: what it says is read again by whoever builds. Finds DT4020. */
const checkBuilder = (text: string | undefined): Checked<string | undefined> =>
  text === undefined || text === '' ? C.ok(text) : C.map(() => text)(readBuilder(text, '--builder'))

/** A token goes into a header of HTTP: blanks and line breaks in it are those of a bad copy. */
const readToken = (text: string | undefined): Checked<string | undefined> =>
  text === undefined || text === '' || /^[!-~]+$/.test(text)
    ? C.ok(text)
    : C.fail(usage('--token: what was given cannot be a token', 'it has neither blanks nor line breaks'))

/** What is given, without what is not. '' stays: it takes a value away. */
const given = (fields: { readonly [name: string]: string | undefined }): Fields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))

export abstract class RememberingCommand extends DevtoolCommand {
  token = Option.String('--token', {
    description: 'API token of a platform; DEVTOOL_TOKEN keeps it off the command line',
  })
  namespace = Option.String('-n,--namespace', { description: 'namespace that commands work in' })
  builder = Option.String('--builder', {
    description: 'address of the builder, such as tcp://buildkit:1234, or docker',
  })
  registry = Option.String('--registry', { description: 'registry of the images that are built' })
  pullRegistry = Option.String('--pull-registry', { description: 'that registry, as the cluster reaches it' })
  domain = Option.String('--domain', { description: 'domain of public addresses' })
  tlsSecret = Option.String('--tls-secret', { description: 'Secret with the certificate of every Ingress' })
  ingressClass = Option.String('--ingress-class', { description: 'class of every Ingress' })
  kubeconfig = Option.String('--kubeconfig', { description: 'kubeconfig, in place of those of KUBECONFIG' })

  /** Finds DT2001, DT4020. */
  fields(): Checked<Fields> {
    const { domain, ingressClass, namespace, pullRegistry, registry, tlsSecret } = this
    const all = given({ namespace, domain, registry, tlsSecret, ingressClass })
    const full = (fields: Fields): Fields =>
      Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''))
    const checks = C.struct({
      settings: readRemembered(full(all)),
      pull: readPullRegistry(pullRegistry || undefined),
      builder: checkBuilder(this.builder),
      token: readToken(this.token),
    })
    return C.map(({ builder, token }: { readonly builder?: string; readonly token?: string }) => ({
      ...all,
      ...given({ pullRegistry, builder, token }),
    }))(checks)
  }

  protected look() {
    return { env: this.context.env, kubeconfig: this.kubeconfig }
  }
}
