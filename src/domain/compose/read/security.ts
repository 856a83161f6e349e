/** Which user a container runs as, and what it may do. */

import type { Checked } from '../../checked.ts'
import * as C from '../../checked.ts'
import { type Diagnostic, error, remark, warning } from '../../diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../object/defined.ts'
import { as, optional } from '../../shape/parse.ts'
import type { Located, ValueOf } from '../../shape/shape.ts'
import type { Annotation } from '../annotation.ts'
import type { service } from '../fields/service.ts'
import type { Security, Written } from '../model.ts'

type RawService = ValueOf<typeof service>['value']

const noEffect = (
  written: { readonly at: Located<unknown>['at']; readonly path: string },
  message: string,
  help?: string,
): Diagnostic => warning('DT1110', message, { at: written.at, path: written.path, help })

/** `root` is 0 in every image. */
const id = (text: string | undefined): number | undefined => {
  if (text === 'root') return 0
  const value = text !== undefined && /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value <= 2_147_483_647 ? value : undefined
}

type User = Pick<Security, 'runAsUser' | 'runAsGroup'>

/** As large as an id can be on Kubernetes. */
const number = 'write a number up to 2147483647'

/** `user[:group]` as numbers or `root`: other names can only be resolved inside the image. */
export const readUser = (written: Located<string>): Checked<User> => {
  const [user, group] = written.value.split(':')
  const [uid, gid] = [id(user), id(group)]
  const found =
    uid === undefined
      ? [
          noEffect(
            written,
            user === ''
              ? 'no user is named, so the user of the image is kept'
              : `the user "${user}" cannot be resolved here: the user of the image is kept`,
            number,
          ),
        ]
      : group !== undefined && group !== '' && gid === undefined
        ? [noEffect(written, `the group "${group}" cannot be resolved here`, number)]
        : []
  return C.note(
    uid === undefined
      ? {}
      : defined({ runAsUser: as(uid, written), runAsGroup: ifDefined(gid, (value) => as(value, written)) }),
    found,
  )
}

type Texts = Located<ReadonlyArray<Located<string>>>

const readGroups = (written: Texts): Checked<Security['supplementalGroups']> => {
  const names = written.value.filter((group) => id(group.value) === undefined)
  const numbers = [...new Set(written.value.flatMap((group) => id(group.value) ?? []))]
  return C.note(
    numbers.length === 0 ? undefined : as(numbers, written),
    names.map((group) => noEffect(group, `the group "${group.value}" cannot be resolved here`, number)),
  )
}

/** In upper case and without `CAP_`, as Kubernetes writes them. */
const readCapabilities = (written: Texts): Checked<Written<ReadonlyArray<string>> | undefined> => {
  const names = [...new Set(written.value.map((c) => c.value.toUpperCase().replace(/^CAP_/, '')))]
  const bad = written.value.find((c) => !/^[A-Za-z_0-9]+$/.test(c.value))
  if (bad !== undefined)
    return C.fail(
      error('DT1018', `"${bad.value}" is not a capability`, {
        at: bad.at,
        path: bad.path,
        help: 'write NET_ADMIN, for example',
      }),
    )
  return C.ok(names.length === 0 ? undefined : as(names, written))
}

type Options = Pick<Security, 'allowPrivilegeEscalation' | 'seccompUnconfined' | 'appArmor' | 'seLinux'>

const unknownOption = (written: Located<string>, found: typeof warning): Checked<Options> =>
  C.note({}, [found('DT1102', `the security option "${written.value}" has no effect on Kubernetes`, written)])

const readOption = (written: Located<string>): Checked<Options> => {
  const [, key = written.value, value = ''] = /^([^=:]+)[=:](.*)$/.exec(written.value) ?? []
  switch (key) {
    case 'no-new-privileges':
      return C.ok({ allowPrivilegeEscalation: as(value === 'false', written) })
    case 'seccomp':
      return value === 'unconfined'
        ? C.ok({ seccompUnconfined: as(true as const, written) })
        : C.note({}, [noEffect(written, 'a seccomp profile of this machine is not on the nodes')])
    case 'apparmor':
      if (value === '') break
      return C.ok({
        appArmor: as(
          value === 'unconfined'
            ? { type: 'Unconfined' as const }
            : value === 'docker-default'
              ? { type: 'RuntimeDefault' as const }
              : { type: 'Localhost' as const, profile: value },
          written,
        ),
      })
    case 'label': {
      // It opens host volumes, which are not mounted.
      if (value === 'disable') return unknownOption(written, remark)
      const [part = '', ...rest] = value.split(':')
      if (!['user', 'role', 'type', 'level'].includes(part) || rest.length === 0) break
      return C.ok({ seLinux: as({ [part]: rest.join(':') }, written) })
    }
    default:
  }
  return unknownOption(written, warning)
}

/** Several `label=` options make up one SELinux label. */
const joinOptions = (options: ReadonlyArray<Options>): Options =>
  options.reduce<Options>(
    (all, one) => ({
      ...all,
      ...one,
      ...(all.seLinux !== undefined && one.seLinux !== undefined
        ? {
            seLinux: {
              ...all.seLinux,
              value: { ...all.seLinux.value, ...one.seLinux.value },
              also: [...(all.seLinux.also ?? []), one.seLinux.at],
            },
          }
        : {}),
    }),
    {},
  )

/** Sysctls that a kubelet allows by default (Kubernetes, "Using sysctls": the safe set). */
const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
])

/** A pod in a host namespace cannot change the host's settings: Kubernetes rejects it. */
const isOfHost = ({ network_mode: network, ipc }: RawService, name: string): boolean =>
  (network?.value === 'host' && name.startsWith('net.')) || (ipc?.value === 'host' && name.startsWith('kernel.shm'))

const readSysctls = (raw: RawService): Checked<ReadonlyArray<Annotation>> => {
  const pairs = raw.sysctls?.value ?? []
  const kept = pairs.filter((p) => safeSysctls.has(p.name) && !isOfHost(raw, p.name))
  const unsafe = pairs.filter((p) => !safeSysctls.has(p.name))
  const ofHost = pairs.filter((p) => safeSysctls.has(p.name) && isOfHost(raw, p.name))
  return C.note(
    [...new Map(kept.map((p) => [p.name, { name: p.name, value: p.value ?? '', at: p.at }])).values()],
    [
      ...unsafe.map((p) =>
        noEffect(
          p,
          `the sysctl ${p.name} is left out: kubelets refuse pods that set it`,
          'an administrator can set it on the nodes',
        ),
      ),
      ...ofHost.map((p) => noEffect(p, `the sysctl ${p.name} is left out: it is the host's own here`)),
    ],
  )
}

/** Whether `privileged` is set. Warns DT1110. */
export const readPrivileged = (written: RawService['privileged']): Checked<RawService['privileged']> =>
  written?.value === true
    ? C.note(written, [noEffect(written, 'many clusters forbid privileged containers')])
    : C.ok(undefined)

/** Finds DT1018; warns DT1102, DT1110. */
export const readSecurity = (raw: RawService): Checked<Security> => {
  const parts = C.struct({
    user: optional(raw.user, readUser),
    supplementalGroups: optional(raw.group_add, readGroups),
    capAdd: optional(raw.cap_add, readCapabilities),
    capDrop: optional(raw.cap_drop, readCapabilities),
    privileged: readPrivileged(raw.privileged),
    options: C.map(joinOptions)(C.each(readOption)(raw.security_opt?.value ?? [])),
    sysctls: readSysctls(raw),
  })
  const readOnly = raw.read_only?.value === true ? { readOnlyRootFilesystem: raw.read_only } : {}
  return C.map(
    ({ user, options, sysctls, ...rest }: C.ValueIn<typeof parts>): Security => ({
      ...rest,
      ...user,
      ...options,
      ...readOnly,
      sysctls: sysctls ?? [],
    }),
  )(parts)
}
