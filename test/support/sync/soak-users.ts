/** Users at both ends of a synchronised folder whose other end is in a pod, and what is known of what they wrote. */
import * as fs from 'node:fs'
import { build } from 'esbuild'
import { until } from '../process/until.ts'
import { randomOf } from './random.ts'
import { contentOf, hashesIn, type RealLedger, type RealTree, useTree } from './real-tree.ts'

/** `inPod`: runs a script there, and returns its output. Undefined when that is impossible at the moment. */
type SoakSettings = {
  readonly here: RealTree
  readonly remote: string
  readonly inPod: (script: string) => Promise<string | undefined>
  /** Called now and then while the ends differ. */
  readonly nudge: () => Promise<void>
}

export type SoakUsers = {
  /** Starts the user in the pod. */
  readonly begin: () => Promise<void>
  /** One change at this end. */
  readonly change: () => void
  /** Stops the user in the pod. */
  readonly end: () => Promise<void>
  /** What is only there may be lost from now on. */
  readonly forget: () => Promise<void>
  /** Waits until both ends are equal. Returns what is wrong. */
  readonly judge: () => Promise<ReadonlyArray<string>>
  readonly writes: () => number
}

const store = '/tmp/soak'
const patienceMs = 240_000

const bundled = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [new URL('./soak-writer.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    write: false,
  })
  return Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')
}

type Told = { readonly born: ReadonlyArray<[string, string]>; readonly ended: ReadonlyArray<string> }

export const soakUsers = async ({ here, inPod, nudge, remote }: SoakSettings): Promise<SoakUsers> => {
  const ledger: RealLedger = { born: new Map(), ended: new Set() }
  const program = await bundled()
  const random = randomOf(Date.now() % 1_000_000)
  let seed = 0
  /** Until it works: links are cut meanwhile. */
  const must = async (script: string): Promise<string> => {
    let found: string | undefined
    await until(script.slice(0, 60), async () => {
      found = await inPod(script)
      return found !== undefined
    })
    return found ?? ''
  }
  const there = async (): Promise<Map<string, string>> =>
    new Map(JSON.parse(await must(`node /tmp/w.cjs show ${remote}`)))
  const place = (): Promise<string> =>
    must(`[ -e /tmp/w.cjs ] || { echo ${program} | base64 -d >/tmp/w.tmp; mv /tmp/w.tmp /tmp/w.cjs; }`)
  return {
    begin: async () => {
      seed += 1
      await place()
      // A script may run twice if its link is cut.
      const run = `mkdir ${store}/${seed} && (setsid node /tmp/w.cjs write ${remote} ${store}/${seed} ${seed} >/dev/null 2>&1 &)`
      await must(`mkdir -p ${store}; [ -d ${store}/${seed} ] || { ${run}; }`)
    },
    change: () => useTree(here, ledger, random),
    end: async () => {
      const told = await must(
        `touch ${store}/${seed}/stop; for i in $(seq 100); do [ -e ${store}/${seed}/told.json ] && break; sleep 0.1; done; cat ${store}/${seed}/told.json`,
      )
      const { born, ended }: Told = JSON.parse(told)
      for (const [hash, path] of born) ledger.born.set(hash, path)
      for (const hash of ended) ledger.ended.add(hash)
    },
    forget: async () => {
      const kept = new Set(hashesIn(contentOf(here.root)))
      for (const hash of hashesIn(await there())) if (!kept.has(hash)) ledger.ended.add(hash)
    },
    judge: async () => {
      await place()
      let differing: ReadonlyArray<string> = []
      let tries = 0
      const areEqual = async (): Promise<boolean> => {
        tries += 1
        if (tries % 10 === 0) await nudge()
        const [ours, theirs] = [contentOf(here.root), await there()]
        differing = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
          (path) => ours.get(path) !== theirs.get(path),
        )
        return differing.length === 0
      }
      const isSettled = await until('both ends are equal', areEqual, patienceMs).then(
        () => true,
        () => false,
      )
      const found = new Set([...hashesIn(contentOf(here.root)), ...hashesIn(await there())])
      const lost = [...ledger.born].filter(([hash]) => !found.has(hash) && !ledger.ended.has(hash))
      return [
        ...(isSettled ? [] : [`diverged: ${differing.slice(0, 5).join(', ')}`]),
        ...lost.slice(0, 5).map(([hash, path]) => `lost: ${hash.slice(0, 8)} at ${path}`),
      ]
    },
    writes: () => ledger.born.size,
  }
}

export const soakTree = (root: string, grave: string): RealTree => {
  for (const path of [root, grave]) fs.mkdirSync(path, { recursive: true })
  return { root, grave }
}
