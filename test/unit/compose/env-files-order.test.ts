/** Values that several env files or label files define. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { manifestsOf, translateFiles } from '../../support/compose/project.ts'

const files = {
  'a.env': 'T=1\nS=s\n',
  'b.env': 'T=2\nU=${T}${S}\n',
  'base.yml': 'services: {web: {image: "nginx:${U}"}}\n',
}

test('a file of an include sees its own values before those of earlier files', () => {
  const made = translateFiles({
    ...files,
    'compose.yaml': 'include: [{path: base.yml, env_file: [a.env, b.env]}]\n',
  })
  assert.match(manifestsOf(made), 'image: nginx:2s\n')
})

test('so does a file of --env-file', () => {
  const made = translateFiles({ ...files, 'compose.yaml': files['base.yml'] }, { envFiles: ['a.env', 'b.env'] })
  assert.match(manifestsOf(made), 'image: nginx:2s\n')
})

test('a label file sees the labels of earlier files before its own, and no other variables', () => {
  const made = translateFiles(
    {
      'compose.yaml': 'services: {web: {image: nginx, label_file: [a.env, c.env], environment: {E: e}}}\n',
      'a.env': files['a.env'],
      'c.env': 'T=2\nU=${T}${S}${E:-}${P:-}\n',
    },
    { shell: new Map([['P', 'p']]) },
  )
  assert.match(manifestsOf(made), 'U: "1s"\n')
  assert.match(manifestsOf(made), 'T: "2"\n')
  assert.equal(
    made.findings.filter(({ code }) => code === 'DT1011'),
    [],
  )
})

test.run()
