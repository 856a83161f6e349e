/** What Pod Security refuses, answered with the lines of a Compose file. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { podSecurityHelp } from '../../../src/domain/cluster/pod-security.ts'

const restricted =
  'would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "web" must set ' +
  'securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "web" must set ' +
  'securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "web" must set ' +
  'securityContext.runAsNonRoot=true)'

test('the lines required by a restricted namespace are named', () => {
  const help = podSecurityHelp(restricted) ?? ''
  for (const line of ['user: "1000"', 'security_opt: ["no-new-privileges:true"]', 'cap_drop: [ALL]'])
    assert.ok(help.includes(line), `${line} in ${help}`)
  assert.not(help.includes('remove'))
})

test('the help says to remove what a namespace forbids', () => {
  const help = podSecurityHelp('violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)')
  assert.is(help, 'remove network_mode: host, or use a namespace that allows it')
})

test('another warning has no such help', () => {
  assert.is(podSecurityHelp('batch/v1beta1 CronJob is deprecated'), undefined)
})

test('steps of pre_start are named where they lack a line, and profiles of security_opt where they are forbidden', () => {
  const step =
    'violates PodSecurity "restricted:latest": runAsUser=0 (container "pre-start-1" must not set runAsUser=0)'
  assert.match(podSecurityHelp(step) ?? '', 'add to the service and its steps of pre_start: user: "1000"')
  const profile = 'violates PodSecurity "baseline:latest": forbidden AppArmor profile (container "web" must not set it)'
  assert.match(podSecurityHelp(profile) ?? '', 'remove apparmor=unconfined of security_opt')
})

test.run()
