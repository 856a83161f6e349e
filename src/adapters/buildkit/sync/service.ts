/** Serves the folders and texts of a build to the builder: FileSync of the session. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { EPOCH } from '../../../domain/build/epoch.ts'
import type { BuildFailure } from '../../../domain/build/failure.ts'
import type { Served, Solve } from '../../../domain/build/solve.ts'
import { visible } from '../../../domain/text/visible.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { CallStatus, RpcCall, RpcService } from '../rpc/call.ts'
import { type FileFilter, wantedIn } from './headers.ts'
import type { Unsendable } from './reason.ts'
import { sendTree, type Tally } from './send.ts'
import { filterOf, type Tree, treeOf } from './tree.ts'
import type { Filter, Walk } from './walk.ts'
import type { Walks } from './walks.ts'

type Unusable = BuildFailure & { readonly _tag: 'Unusable' }

/** How many bytes were sent under a name, in all its transfers. */
type Tell = (served: string, files: number, bytes: number) => void

const method = '/moby.filesync.v1.FileSync/DiffCopy'
const notFound = 5
const internal = 13
const tellEveryMs = 100

const nameOf = (served: Served, path: string): string => {
  if (served._tag === 'Text') return visible(served.file)
  return path === '.' ? visible(served.path) : `${visible(served.path)}/${path}`
}

type Counter = { readonly tally: Tally; readonly tell: () => void }

const counter = (name: string, tell: Tell, clock: Clock): Counter => {
  let sum = { files: 0, bytes: 0 }
  let toldMs = Number.NEGATIVE_INFINITY
  const tellNow = (): void => {
    toldMs = clock.now()
    tell(name, sum.files, sum.bytes)
  }
  return {
    tally: (bytes, files) => {
      sum = { files: sum.files + files, bytes: sum.bytes + bytes }
      if (clock.now() - toldMs >= tellEveryMs) tellNow()
    },
    tell: tellNow,
  }
}

/** `walks`: those that the builds of a run have in common. */
type Sender = { readonly clock: Clock; readonly walks: Walks }

const walkOf = (walks: Walks, tree: Tree, { exclude, follow, include }: FileFilter, filter: Filter): Walk =>
  tree.root === undefined
    ? tree.walk(filter)
    : walks(JSON.stringify([tree.root, include, exclude, follow]), () => tree.walk(filter))

/** The last two are needed for times only. */
type ServedSolve = Pick<Solve, 'served' | 'root'> & Partial<Pick<Solve, 'frontend' | 'rewritesTimes'>>

/** The builder sets back later times to this one, but leaves earlier ones, which would make another digest. */
const earliestOf = ({ frontend, rewritesTimes }: ServedSolve): bigint | undefined => {
  const seconds = frontend?.get(`build-arg:${EPOCH}`) ?? ''
  return rewritesTimes === true && /^\d{1,11}$/.test(seconds) ? BigInt(seconds) * 1_000_000_000n : undefined
}

type Source = { readonly served: Served; readonly root: string | undefined; readonly earliestNs: bigint | undefined }

const transfer = async (
  call: RpcCall,
  { earliestNs, root, served }: Source,
  { tally, tell }: Counter,
  fail: (failure: Unusable) => void,
  { clock, walks }: Sender,
): Promise<CallStatus | undefined> => {
  const report = ({ path, cause }: Unsendable): void => fail({ _tag: 'Unusable', what: nameOf(served, path), cause })
  const refuse = (why: Unsendable): CallStatus => {
    report(why)
    return { code: internal, message: `${why.path}: ${why.cause}` }
  }
  const wanted = wantedIn(call)
  const sending = pipe(
    treeOf(served, root),
    E.bindTo('tree'),
    E.bind('filter', ({ tree }) => filterOf(tree, wanted)),
    E.map(({ filter, tree }) => ({ tree, walk: walkOf(walks, tree, wanted, filter) })),
  )
  if (E.isLeft(sending)) return refuse(sending.left)
  const status = await sendTree(call, { ...sending.right, clock, earliestNs, tally, fail: report })
  tell()
  return status
}

/**
 * `tell` reports totals from time to time and at the end of each transfer. `fail` is called for what prevents the
 * build: a file that cannot be read, a name that cannot be sent, an invalid pattern. The builder is told as well, and
 * ends the build.
 */
export const fileSync = (
  solve: ServedSolve,
  sender: Sender,
  tell: Tell,
  fail: (failure: Unusable) => void,
): RpcService => {
  const { root, served } = solve
  const earliestNs = earliestOf(solve)
  const counters = new Map([...served.keys()].map((name) => [name, counter(name, tell, sender.clock)]))
  return new Map([
    [
      method,
      async (call) => {
        const { name } = wantedIn(call)
        const found = served.get(name)
        const count = counters.get(name)
        if (found === undefined || count === undefined)
          return { code: notFound, message: `no access allowed to dir ${JSON.stringify(name)}` }
        return transfer(call, { served: found, root, earliestNs }, count, fail, sender)
      },
    ],
  ])
}
