/**
 * The rules of the house hold only if breaking one is noticed: violations are planted into a copy of the configuration,
 * and each must be found by the check that owns the rule. The same tree without them is clean.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { binPath, type Ran, root, runNode, scriptArgs } from '../../scripts/command.ts'
import { accomplices } from '../support/house/circles.ts'
import { clean, type Owner, type Tree } from '../support/house/clean.ts'
import { violations } from '../support/house/violations.ts'

type Outcome = Readonly<Record<Owner, Ran>>

const write = (folder: string, tree: Tree): void => {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Runs the checks of this project on a tree of their own. */
const inspect = async (tree: Tree): Promise<Outcome> => {
  const cwd = mkdtempSync(join(tmpdir(), 'house-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'), 'junction')
    for (const file of ['.oxlintrc.json', 'knip.json', 'tsconfig.json']) copyFileSync(join(root, file), join(cwd, file))
    write(cwd, tree)
    const [lint, structure, unused] = await Promise.all([
      runNode([...scriptArgs('lint'), '--format=unix'], { cwd }),
      runNode([binPath('tsx'), join(root, 'scripts/structure.ts')], { cwd }),
      runNode([...scriptArgs('unused'), '--reporter=json'], { cwd }),
    ])
    return { lint, structure, unused }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

type Trees = { sound?: Outcome; broken?: Outcome }
const test = suite<Trees>('house')

test.before(async (trees) => {
  trees.sound = await inspect(clean)
  const planted = Object.fromEntries(violations.map(([, file, text]) => [file, text]))
  trees.broken = await inspect({ ...clean, ...accomplices, ...planted })
})

for (const owner of ['lint', 'structure', 'unused'] as const) {
  test(`${owner}: a clean source tree passes`, ({ sound }) => {
    assert.is(sound?.[owner].status, 0, sound?.[owner].output)
  })
  test(`${owner}: a source tree with violations fails`, ({ broken }) => {
    assert.is(broken?.[owner].status, 1)
  })
}

for (const [title, file, , owner, words] of violations) {
  test(`${owner}: ${title}`, ({ broken }) => {
    const output = broken?.[owner].output ?? ''
    const isFound = output.split('\n').some((line) => line.includes(file) && line.includes(words))
    assert.ok(isFound, `${file}: ${words}\n${output}`)
  })
}

test.run()
