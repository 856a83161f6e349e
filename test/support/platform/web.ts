/** A browser that follows redirects between hosts and keeps their cookies. */

export type WebPage = { readonly url: string; readonly status: number; readonly text: string }
type Form = Readonly<Record<string, string>>

export type WebBrowser = {
  /** Ends at a page, or at an address that begins with `until`, which is not opened. */
  readonly open: (url: string, until?: string) => Promise<WebPage>
  readonly submit: (url: string, form: Form, until?: string) => Promise<WebPage>
}

const MOST_REDIRECTS = 20

export const webBrowser = (): WebBrowser => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string): Map<string, string> => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const ask = async (url: string, form?: Form): Promise<Response> => {
    const jar = jarOf(url)
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: new URL(url).origin,
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const follow = async (url: string, until: string | undefined, form?: Form): Promise<WebPage> => {
    let [at, answer] = [url, await ask(url, form)]
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      const location = answer.headers.get('location')
      if (location === null) return { url: at, status: answer.status, text: await answer.text() }
      await answer.arrayBuffer()
      at = new URL(location, at).toString()
      if (until !== undefined && at.startsWith(until)) return { url: at, status: answer.status, text: '' }
      answer = await ask(at)
    }
    throw new Error(`too many redirects, the last to ${at}`)
  }
  return { open: (url, until) => follow(url, until), submit: (url, form, until) => follow(url, until, form) }
}

/** The login pages of the test issuer: who logs in, and whether they give consent. */
export const logInAs = async (browser: WebBrowser, url: string, who: string): Promise<WebPage> => {
  let page = await browser.open(url)
  for (const form of [{ prompt: 'login', login: who, password: 'x' }, { prompt: 'consent' }]) {
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
    if (action === undefined || !page.url.includes('/interaction/')) return page
    page = await browser.submit(new URL(action, page.url).toString(), form)
  }
  return page
}
