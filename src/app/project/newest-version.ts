/** `version --check`: the version of the last release, according to the configured address of releases. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Json, textAt } from '../../domain/cluster/json.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { publicUrl } from '../../domain/text/public-url.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, failed, type Result } from '../result.ts'

export type NewestVersion = { readonly newest: string }

/** The file that each release has. */
const FILE = 'latest.json'
const limitMs = 10_000
/** Restricted, since the version is printed. */
const isVersion = /^[\w.+-]{1,100}$/

const unreadable = (url: string, why: string): Diagnostic =>
  error('DT2010', `cannot read ${publicUrl(url)}: ${why}`, {
    help: 'check DEVTOOL_RELEASE_URL, and the proxy if there is one',
  })

const versionIn = (text: string): E.Either<string, string> =>
  pipe(
    E.tryCatch(
      (): Json => JSON.parse(text),
      () => 'it is not JSON',
    ),
    E.map((json) => textAt(json, 'version')),
    E.filterOrElse(
      (version): version is string => version !== undefined && isVersion.test(version),
      () => 'it names no version',
    ),
  )

/** `address`: of the releases; '' when none is configured. Finds DT2009, DT2010. */
export const newestVersion =
  ({ network }: Pick<Ports, 'network'>) =>
  async (address: string): Promise<Result<NewestVersion>> => {
    if (address === '') {
      const help = 'set DEVTOOL_RELEASE_URL to the address of your releases; nothing else is asked'
      return failed(error('DT2009', 'no address of releases is configured', { help }))
    }
    const url = `${address}${address.endsWith('/') ? '' : '/'}${FILE}`
    return answer(
      pipe(
        network.read(url, limitMs),
        TE.flatMapEither(versionIn),
        TE.bimap(
          (why) => unreadable(url, why),
          (newest) => ({ findings: [], value: { newest } }),
        ),
      ),
    )
  }
