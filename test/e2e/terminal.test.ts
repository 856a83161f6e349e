/** What a person sees in a terminal when deploy and destroy fail, ask, wait, are interrupted, or succeed. */
import { basename } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { compose, neverReady, page } from '../support/e2e/apps.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import type { Tmux } from '../support/e2e/tmux.ts'
import { until } from '../support/process/until.ts'

const shop = (services: Parameters<typeof compose>[0]): string => compose(services, 'name: shop')
const web = { web: page('hello', 'ports: [8080]') }

/** The screen at the end. */
const screenOf = async (
  space: Space,
  words: ReadonlyArray<string>,
  during: (terminal: Tmux) => Promise<void> = async () => {},
): Promise<string> => {
  let screen = ''
  await space.inTerminal(words, async (terminal) => {
    await during(terminal)
    await terminal.until(/^status \d+$/m, 120)
    screen = terminal.shown().trimEnd()
  })
  if (process.env['E2E_SCREENS'] !== undefined) process.stdout.write(`\n$ devtool ${words.join(' ')}\n${screen}\n`)
  return screen
}

/** `wanted` in their order. */
const shows = (screen: string, ...wanted: ReadonlyArray<RegExp>): void => {
  let rest = screen
  for (const one of wanted) {
    const index = rest.search(one)
    assert.ok(index >= 0, `there is no ${one} in its place in\n${screen}`)
    rest = rest.slice(index)
  }
}

const succeeded = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ db: page('db'), web: page('hello', 'ports: [8080]', 'depends_on: [db]') }))
  const screen = await screenOf(space, ['deploy', '--wait'])
  shows(screen, /✓ db +[\d.]+s  1 of 1 ready/, /✓ web +[\d.]+s  1 of 1 ready/, /^deployed shop to/m, /^status 0$/m)
}

const unpullable = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ web: ['image: localhost:1/no-such-image:1'] }))
  const screen = await screenOf(space, ['deploy', '--wait', '--yes'])
  shows(screen, /✗ web/, /^error DT3201: web: the image/m, /help: check the name and the tag/, /^status 1$/m)
}

const late = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ web: neverReady }))
  // So that it is late for want of health, however long its container takes to start.
  await space.must('deploy')
  await until('the container runs', async () => {
    const pods = await space.list('Pod')
    return pods.some((pod) => at(pod, 'status', 'containerStatuses', 0, 'state', 'running') !== undefined)
  })
  const screen = await screenOf(space, ['deploy', '--wait', '--yes', '--timeout', '30s'])
  shows(
    screen,
    /- web/,
    /^error DT3209: web: /m,
    /^error DT3120: timed out/m,
    /help: what was applied stays/,
    /^status 6$/m,
  )
}

const interrupted = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ web: neverReady }))
  const screen = await screenOf(space, ['deploy', '--wait', '--yes'], async ({ press, until: sees }) => {
    await sees(/▸ web .*0 of 1 ready/)
    press('C-c')
  })
  shows(
    screen,
    /interrupted: finishing what was begun/,
    /^error DT3121: interrupted/m,
    /run the same command again/,
    /^status 130$/m,
  )
  assert.equal(await space.list('Lease'), [])
}

const locked = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ web: neverReady }))
  const first = space.start('deploy', '--wait')
  await until('the lock is taken', async () => (await space.list('Lease')).length === 1)
  const screen = await screenOf(space, ['deploy', '--yes'])
  first.child.kill('SIGINT')
  await first.ended
  shows(screen, /^error DT3110: /m, /--wait-for-lock/, /^status 7$/m)
}

const taken = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop({ old: page('old') }))
  await space.must('deploy')
  space.write('compose.yaml', shop({ new: page('new') }))
  const answered = (answer: string) =>
    screenOf(space, ['deploy', '--yes'], async ({ type, until: sees }) => {
      await sees(/\(y\/N\)/)
      type(`${answer}\n`)
    })
  shows(await answered('n'), /old/, /^status 5$/m)
  assert.equal(
    (await space.list('Deployment')).map(({ metadata }) => metadata.name),
    ['old'],
  )
  shows(await answered('y'), /^deployed shop/m, /^status 0$/m)
}

const foreign = async (space: Space): Promise<void> => {
  space.write('compose.yaml', shop(web))
  await space.must('deploy')
  space.write('other/compose.yaml', shop({ api: page('api') }))
  const screen = await screenOf(space, ['deploy', '--yes', '-f', 'other/compose.yaml'])
  shows(screen, /^error DT3114: /m, /--take-over/, /^status 7$/m)
}

/** Their names are guessed from folders that are called the same. */
const another = async (space: Space): Promise<void> => {
  const here = basename(space.folder)
  const there = `other/${here}/compose.yaml`
  space.write(there, compose(web))
  await space.must('deploy', '-f', there)
  space.write('compose.yaml', compose({ api: page('api') }))
  const answered = (answer: string) =>
    screenOf(space, ['destroy', '--wait'], async ({ type, until: sees }) => {
      await sees(/\(y\/N\)/)
      type(`${answer}\n`)
    })
  shows(await answered('n'), new RegExp(`other/${here}`), /^error DT3116: nothing was changed/m, /^status 5$/m)
  assert.equal(
    (await space.list('Deployment')).map(({ metadata }) => metadata.name),
    ['web'],
  )
  shows(await answered('y'), /^destroyed environment/m, /^status 0$/m)
}

const data = `name: shop
services:
  web: {image: "busybox:latest", command: [sleep, "3600"], stop_grace_period: 1s, volumes: ["data:/data"]}
volumes: {data: {}}
`

const emptied = async (space: Space): Promise<void> => {
  space.write('compose.yaml', data)
  await space.must('deploy')
  const answered = (answer: string) =>
    screenOf(space, ['destroy', '--volumes', '--wait'], async ({ type, until: sees }) => {
      await sees(/\(y\/N\)/)
      type(`${answer}\n`)
    })
  shows(await answered('n'), /data/, /^status 5$/m)
  assert.is((await space.list('PersistentVolumeClaim')).length, 1)
  shows(await answered('y'), /data/, /^destroyed environment shop/m, /^status 0$/m)
  assert.equal(await space.list('PersistentVolumeClaim'), [])
}

const test = suite('terminal')

await scenarios(test, [
  { title: 'a deploy that succeeds', space: 'well', run: succeeded },
  { title: 'an image that cannot be pulled', space: 'image', run: unpullable },
  { title: 'a timeout', space: 'late', run: late },
  { title: 'Ctrl-C while it waits', space: 'ctrlc', run: interrupted },
  { title: 'a lock that another run holds', space: 'locked', run: locked },
  { title: 'the question before all services are replaced', space: 'replace', run: taken },
  { title: 'an environment of another folder', space: 'foreign', run: foreign },
  { title: 'the question before another folder is destroyed', space: 'another', run: another },
  { title: 'the question of destroy --volumes', space: 'volumes', run: emptied },
] satisfies ReadonlyArray<Scenario>)

test.run()
