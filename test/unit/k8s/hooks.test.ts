/** The command lines of hooks, run by a shell as the kubelet runs them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { objectsOf, translateFiles } from '../../support/compose/project.ts'

/** The status and the output of the hooks. */
const ran = (hooks: ReadonlyArray<object>): { readonly status: number | null; readonly stdout: string } => {
  const compose = JSON.stringify({ services: { web: { image: 'a', post_start: hooks, pre_stop: hooks } } })
  const workload = objectsOf(translateFiles({ 'compose.yaml': compose.replaceAll('$', '$$$$') })).find(
    ({ kind }) => kind === 'Deployment',
  )
  assert.ok(workload?.kind === 'Deployment')
  const { postStart, preStop } = workload.spec.template.spec.containers[0]?.lifecycle ?? {}
  assert.equal(postStart, preStop)
  const [program = '', ...args] = postStart?.exec?.command ?? []
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, A: 'outside' } })
  return { status, stdout }
}

const folder = mkdtempSync(join(tmpdir(), 'devtool hooks '))
test.after(() => rmSync(folder, { recursive: true }))

const hostile = ["it's", '$(echo no)', '`echo no`', '"', '\\', 'a  b', '*', ';', 'two\nlines', '-n']

test('a hook has its words as they are written, its folder and its variables', () => {
  const print = ['sh', '-c', 'printf "%s|" "$PWD" "$A" "$@"', 'sh', ...hostile]
  const { status, stdout } = ran([{ command: print, working_dir: folder, environment: { A: hostile.join() } }])
  assert.is(status, 0)
  assert.is(stdout, [folder, hostile.join(), ...hostile, ''].join('|'))
})

test('hooks run one after the other, each in a folder of its own, until one fails', () => {
  const show = (name: string) => ({ command: ['sh', '-c', `echo ${name} "$A" "$PWD"`] })
  const first = { ...show('first'), working_dir: folder, environment: ['A=inside'] }
  const { status, stdout } = ran([first, show('second'), { command: ['false'] }, show('third')])
  assert.is(status, 1)
  assert.is(stdout, `first inside ${folder}\nsecond outside ${process.cwd()}\n`)
})

test('a hook alone runs without a shell', () => {
  assert.equal(ran([{ command: ['printf', '%s', '$HOME'] }]), { status: 0, stdout: '$HOME' })
})

test.run()
