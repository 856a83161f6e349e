/** A browser with cookies, and the text of its pages. */
import type { TestPlatform } from './world.ts'

type Form = Readonly<Record<string, string>>
type Shown = {
  readonly status: number
  readonly text: string
  readonly location: string
  readonly headers: Headers
  /** The hidden fields of its forms. */
  readonly fields: Form
}

const fieldsIn = (text: string): Form =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ]),
  )

export type TestBrowser = {
  readonly open: (path: string) => Promise<Shown>
  readonly submit: (path: string, form: Form, headers?: Form) => Promise<Shown>
  /** Logs in at the test issuer, up to the requested page. */
  readonly enter: (path: string, who: Form) => Promise<Shown>
}

export const testBrowser = (send: TestPlatform['send']): TestBrowser => {
  const cookies = new Map<string, string>()
  const shown = async (answer: Response): Promise<Shown> => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await answer.text()
    const { headers, status } = answer
    return { status, text, headers, location: headers.get('location') ?? '', fields: fieldsIn(text) }
  }
  const cookie = (): Form => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const open = async (path: string): Promise<Shown> => shown(await send('GET', path, { headers: cookie() }))
  return {
    open,
    submit: async (path, form, headers = {}) =>
      shown(await send('POST', path, { form, headers: { ...cookie(), ...headers } })),
    enter: async (path, who) => {
      const { location } = await open(path)
      const state = new URL(location).searchParams.get('state') ?? ''
      const back = await open(`/oidc/callback?${new URLSearchParams({ state, ...who }).toString()}`)
      return back.location === '' ? back : open(back.location)
    },
  }
}
