/** Everyday changes, measured from one end to the other. */
import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { after, type Part, pause, repeat, share, type Trees, type World } from './bench-sync-world.ts'

const middleAndHigh = (values: ReadonlyArray<number>): ReadonlyArray<number> => [
  share(values, 0.5),
  share(values, 0.95),
]
const middle = (values: ReadonlyArray<number>): ReadonlyArray<number> => [share(values, 0.5)]

export const daily = async (
  { here, there }: World,
  { local, remote, store }: Trees,
  files: number,
  times: number,
): Promise<Part> => {
  const few = Math.max(3, Math.floor(times / 5))
  const [near, far] = [(path: string) => join(local, path), (path: string) => join(remote, path)]
  await here('write', near('saved.ts'), 'begin')
  await there('until', far('saved.ts'), 'begin')
  const save = await repeat(times, (round) =>
    after(there('until', far('saved.ts'), `save ${round}`), () => here('write', near('saved.ts'), `save ${round}`)),
  )
  const renamed = await repeat(times, (round) =>
    after(there('until', far('saved.ts'), `over ${round}`), () => here('over', near('saved.ts'), `over ${round}`)),
  )
  const back = await repeat(times, (round) =>
    after(here('until', near('saved.ts'), `back ${round}`), () => there('write', far('saved.ts'), `back ${round}`)),
  )
  const deleted = await repeat(few, async (round) => {
    await here('write', near(`gone${round}`), 'x')
    await there('until', far(`gone${round}`), 'x')
    await pause(300)
    return after(there('until', far(`gone${round}`), null), () => here('remove', near(`gone${round}`)))
  })
  for (let at = 0; at < 20; at += 1) await here('write', near(`folder0/${at}`), `${at}`)
  await there('untilCount', far('folder0'), 20)
  await pause(1500)
  const moved = await repeat(few, (round) =>
    after(there('untilCount', far(`folder${round + 1}`), 20), () =>
      fs.renameSync(near(`folder${round}`), near(`folder${round + 1}`)),
    ),
  )
  const made = await repeat(2, (round) =>
    after(there('untilCount', far(`many${round}`), 500), () => {
      fs.mkdirSync(near(`many${round}`))
      for (let at = 0; at < 500; at += 1) fs.writeFileSync(near(`many${round}/${at}`), `${round} ${at}`.repeat(200))
    }),
  )
  const git = (...words: ReadonlyArray<string>): Promise<unknown> =>
    promisify(execFile)('git', [
      `--git-dir=${store}/git`,
      `--work-tree=${local}`,
      '-c',
      'user.name=b',
      '-c',
      'user.email=b@b',
      ...words,
    ])
  await git('init', '-q')
  await git('add', 'many0')
  await git('commit', '-qm', 'one')
  await git('checkout', '-qb', 'other')
  for (let at = 0; at < 500; at += 1) fs.writeFileSync(near(`many0/${at}`), `other ${at}`.repeat(150))
  await git('commit', '-qam', 'two')
  await there('until', far('many0/499'), `other 499`.repeat(150))
  await pause(1500)
  const names = ['first', 'other'] as const
  await git('branch', 'first', 'other~1')
  const checkouts = await repeat(2, async (round) => {
    const text = round % 2 === 0 ? (at: number) => `0 ${at}`.repeat(200) : (at: number) => `other ${at}`.repeat(150)
    const all = Array.from({ length: 500 }, (_, at) => there('until', far(`many0/${at}`), text(at)))
    return after(Promise.all(all), () => git('checkout', '-q', names[round % 2] ?? 'first'))
  })
  const at = `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`
  return {
    [`${at}: save → pod, p50 / p95`]: middleAndHigh(save),
    [`${at}: save by rename → pod, p50 / p95`]: middleAndHigh(renamed),
    [`${at}: save in the pod → here, p50 / p95`]: middleAndHigh(back),
    [`${at}: delete, p50`]: middle(deleted),
    [`${at}: rename of a folder of 20 files, p50`]: middle(moved),
    [`${at}: 500 new files, all there`]: middle(made),
    [`${at}: git checkout of 500 files, all there`]: middle(checkouts),
  }
}
