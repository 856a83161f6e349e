import { arch, platform, release } from 'node:os'
import { defined } from '../../domain/object/defined.ts'
import { command } from '../command.ts'
import { clusterFlags, reachOf } from '../flags/cluster.ts'
import { flag, may } from '../flags/flag.ts'
import { dataForms } from '../flags/forms.ts'
import { output } from '../flags/output.ts'
import { namingFlags } from '../flags/project.ts'
import { readTimeout } from '../flags/run.ts'
import { environmentName, inEnvironment, inTarget } from '../target.ts'
import { viewed } from '../view/view.ts'

/**
 * Codes with which nothing could be read from the cluster: it is unreachable or unknown, rejects the credentials, or
 * took too long.
 */
const unread: ReadonlySet<string> = new Set(['DT3001', 'DT3002', 'DT3008', 'DT3120', 'DT3170'])

export const doctor = command({
  name: 'doctor',
  group: 'Environment',
  about: 'write a report for support, or check the cluster',
  details: `
    Writes devtool-doctor-<time>.zip to this folder, with the manifest, the objects, events and last log lines of the environment, versions, system information, and the requests of the last runs of devtool (its own log, in the folder log of $HOME/.devtool). Values of variables and Secrets are left out, and anything that looks like a credential is masked. With a name, it only includes that service. If the cluster cannot be read, because it is unreachable, does not respond in time or does not accept the credentials, or because there is no kubeconfig, the report has what this machine knows, and the exit status is that of the error.

    \`--check\` writes nothing: it checks what \`deploy\` needs (permissions, quota, storage and Ingress class, domain, registry, builder) and how to fix what is missing. The exit status is 1 if something is missing.
  `,
  examples: [
    ['Make a report', '$0 doctor'],
    ['Is this cluster ready?', '$0 doctor --check'],
  ],
  words: { service: may('devName', { offers: 'services' }) },
  flags: {
    ...namingFlags,
    ...clusterFlags,
    timeout: readTimeout,
    check: flag('--check', 'check the cluster instead of writing a report'),
    output: output(dataForms, 'text', 'output format of --check: text, json or yaml'),
  },
  run: async (given, call) => {
    if (given.check) {
      await call.sayUnused(Object.keys(namingFlags), 'with --check')
      return inTarget(call, { reach: reachOf(given), use: 'Read', reading: given }, async ({ ports, target }) => {
        const { checkCluster } = await import('../../app/inspect/check.ts')
        const builder = call.env['BUILDKIT_HOST']
        const { showChecks } = await import('../view/check.ts')
        const found = await checkCluster(ports)({ target, ...defined({ builder }) })
        return viewed(found, (list) => showChecks(given.output, list))
      })
    }
    const facts = { version: call.version, node: process.version, os: `${platform()} ${release()}`, arch: arch() }
    const outcome = await inEnvironment(
      call,
      given,
      async ({ environment, ports, signal, target }) => {
        const { doctor: report } = await import('../../app/inspect/doctor.ts')
        const { showSupportReport } = await import('../view/doctor.ts')
        const { file: files, service } = given
        const made = await report(ports)({
          target,
          environment,
          files,
          signal,
          facts,
          ...defined({ service }),
        })
        return viewed(made, showSupportReport)
      },
      given,
    )
    if (outcome.output !== undefined || !outcome.findings.some(({ code }) => unread.has(code))) return outcome
    const { doctorOffline } = await import('../../app/inspect/doctor.ts')
    const { showSupportReport } = await import('../view/doctor.ts')
    const environment = (await environmentName(call, given)) ?? 'unknown'
    const made = await doctorOffline(await call.ports())({ environment, files: given.file, facts })
    const report = viewed(made, showSupportReport)
    return { ...report, findings: [...outcome.findings, ...report.findings] }
  },
})
