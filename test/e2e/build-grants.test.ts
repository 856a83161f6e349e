/** What a build is given by the user's machine or by the builder: keys of an SSH agent, entitlements, a scanner. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listAt, textAt } from '../../src/domain/cluster/json.ts'
import { startBuildkitd } from '../support/build/buildkitd.ts'
import { type Bench, direct, dockerfile, openBuildLab } from '../support/build/e2e.ts'
import { mustBeStored, storedImage } from '../support/build/image.ts'
import { until } from '../support/process/until.ts'

const test = suite('what a build is given')

/** A program of this machine with its libraries, below `tools`. */
const copied = (program: string, { write }: Bench): void => {
  const libraries = String(execFileSync('ldd', [program])).match(/\/\S+/g) ?? []
  for (const path of [program, ...libraries]) write(`tools${path}`, readFileSync(path))
}

const keyIn = (folder: string, name: string): string => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)])
  return readFileSync(join(folder, `${name}.pub`), 'utf8').trim()
}

test('a step uses the keys of the SSH agent, or of a file, and neither is in the image', async () => {
  const { bench, registry } = await openBuildLab()
  const own = bench()
  const { folder, must, write } = own
  const sshAdd = '/usr/bin/ssh-add'
  copied(sshAdd, own)
  const [ofAgent, ofFile] = [keyIn(folder, 'of-agent'), keyIn(folder, 'of-file')]
  const socket = join(folder, 'agent.sock')
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  try {
    await until('the SSH agent', () => existsSync(socket))
    const env = { SSH_AUTH_SOCK: socket }
    execFileSync(sshAdd, ['-q', join(folder, 'of-agent')], { env, stdio: 'ignore' })
    const list = `chmod +x ${sshAdd} /lib64/* && ${sshAdd} -L`
    write('.dockerignore', '*\n!tools\n')
    write(
      'Dockerfile',
      dockerfile(
        'COPY tools /',
        `RUN --mount=type=ssh ${list} >/of-agent`,
        `RUN --mount=type=ssh,id=deploy ${list} >/of-file`,
      ),
    )
    const name = `${registry.address}/grants/ssh:1`
    await must(direct(name, '--ssh', 'default', '--ssh', 'deploy=of-file'), { env })
    const image = await mustBeStored(name)
    assert.match((await image.file('of-agent')) ?? '', ofAgent)
    assert.match((await image.file('of-file')) ?? '', ofFile.split(' ')[1] ?? '')
    assert.not.match(await image.listing(), /agent\.sock|ssh_auth/)
  } finally {
    agent.kill()
  }
})

test('a step has the rights that both the user and the builder grant, and only with them', async () => {
  const { bench, registries, registry } = await openBuildLab()
  const daemon = await startBuildkitd({ ...registries, entitlements: ['security.insecure'] })
  try {
    const { fails, must, write } = bench({ BUILDKIT_HOST: daemon.address })
    const seen = 'grep CapEff /proc/self/status'
    write('Dockerfile', dockerfile(`RUN ${seen} >/usual`, `RUN --security=insecure ${seen} >/insecure`))
    const name = `${registry.address}/grants/insecure:1`
    await fails(5, /DT4024: .*security.insecure is not allowed/, direct(name))
    assert.is(await storedImage(name), undefined)
    await must(direct(name, '--allow', 'security.insecure'))
    const image = await mustBeStored(name)
    assert.not.equal(await image.file('insecure'), await image.file('usual'))
  } finally {
    daemon.end()
  }
})

test('the SBOM of the scanner that the user names is in the image index', async () => {
  const { bench, registry } = await openBuildLab()
  const scanner = `${registry.address}/grants/scanner:1`
  const { must, write } = bench()
  const predicate = { spdxVersion: 'SPDX-2.3', name: 'made by a scanner' }
  const statement = {
    _type: 'https://in-toto.io/Statement/v0.1',
    predicateType: 'https://spdx.dev/Document',
    predicate,
  }
  write('scan', `#!/bin/sh\necho '${JSON.stringify(statement)}' >"$BUILDKIT_SCAN_DESTINATION/sbom.spdx.json"\n`)
  write('Dockerfile', dockerfile('COPY scan /scan', 'RUN chmod +x /scan', 'ENTRYPOINT ["/scan"]'))
  await must(direct(scanner))
  const name = `${registry.address}/grants/scanned:1`
  write('Dockerfile', dockerfile('RUN true'))
  await must(direct(name, '--sbom', `generator=${scanner}`))
  const [, attested] = listAt((await mustBeStored(name)).manifest, 'manifests')
  const { manifest } = await mustBeStored(`${registry.address}/grants/scanned@${textAt(attested, 'digest')}`)
  const predicates = listAt(manifest, 'layers').map((layer) =>
    textAt(layer, 'annotations', 'in-toto.io/predicate-type'),
  )
  assert.ok(predicates.includes('https://spdx.dev/Document'), JSON.stringify(predicates))
})

test.run()
