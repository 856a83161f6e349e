/** The pages of a login, as HTML without scripts. */
import { encodeBase64 } from '../../text/base64.ts'
import { sha256Bytes } from '../../text/sha256.ts'

/** HTML that was made here, as opposed to text of others. */
type Html = { readonly html: string }

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char)

const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<string | Html | ReadonlyArray<Html>>): Html => {
  const written = values.map((value) => {
    if (typeof value === 'string') return escaped(value)
    return 'html' in value ? value.html : value.map((one) => one.html).join('')
  })
  return { html: parts.map((part, at) => part + (written[at] ?? '')).join('') }
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem;color:#1b1f24;background:#fff}h1{font-size:1.4rem}strong.word{display:block;font:700 1.6rem/1.4 ui-monospace,monospace;margin:1rem 0}button,input{font:inherit;padding:.5rem 1rem;margin:.25rem .25rem .25rem 0}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}}'

/** `target`: where a form may lead to besides the platform. */
export const securityPolicy = (target?: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${encodeBase64(sha256Bytes(style))}'`,
    `form-action 'self'${target === undefined ? '' : ` ${target}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - devtool</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html

const hidden = (fields: Readonly<Record<string, string>>): ReadonlyArray<Html> =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const decision = (
  action: string,
  fields: Readonly<Record<string, string>>,
): Html => html`<form method="post" action="${action}">
${hidden(fields)}
<button name="decision" value="allow">Log in</button>
<button name="decision" value="deny">Cancel</button>
</form>`

const account = (email: string): Html => html`<form method="post" action="/login/logout">
<p>You are ${email}. <button>Use another account</button></p>
</form>`

/** `asking`: what asks, in its own words. */
export type LoginConsent = {
  readonly asking: string
  readonly email: string
  readonly word: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export const consentPage = ({ action, asking, email, fields, word }: LoginConsent): string =>
  page(
    'Log in devtool?',
    html`<p>devtool on <b>${asking}</b> asks to act as <b>${email}</b>.</p>
<p>Continue only if you have started this, and your terminal shows</p>
<strong class="word">${word}</strong>
${decision(action, fields)}
${account(email)}`,
  )

/** `code`: as it was typed before, when it was wrong. */
export const codePage = (email: string, code?: string): string =>
  page(
    'Log in devtool on another machine',
    html`${code === undefined ? html`` : html`<p role="alert">There is no code ${code}. Compare it with your terminal.</p>`}
<form method="get" action="/login/device">
<label>Code that your terminal shows <input name="code" autocomplete="off" autofocus required maxlength="20"></label>
<button>Continue</button>
</form>
${account(email)}`,
  )

export const messagePage = (title: string, text: string): string => page(title, html`<p>${text}</p>`)
