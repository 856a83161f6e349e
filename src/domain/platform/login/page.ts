/** The pages of a login, as HTML without scripts. */
import { encodeBase64 } from '../../text/base64.ts'
import { sha256Bytes } from '../../text/sha256.ts'

/** HTML written by devtool, as opposed to text from elsewhere, which is escaped. */
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

/** The colours and shapes of the other pages, which have their own style sheet. */
const style = [
  ':root{color-scheme:light dark;--text:light-dark(#18202b,#e7ebf1);--muted:light-dark(#556072,#9fabbb);--page:light-dark(#f5f6f9,#0f1319);--card:light-dark(#fff,#171c24);--line:light-dark(#d8dde5,#2b3440);--accent:light-dark(#3c4cc4,#a9b6ff);--on-accent:light-dark(#fff,#101430);--field:light-dark(#7c879a,#6d7a8d)}',
  '*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,30rem);justify-content:center;align-content:center;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--text);background:var(--page)}',
  'main{padding:clamp(1.25rem,6vw,2rem);background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}',
  '.brand{margin:0 0 1.5rem;font-weight:650;letter-spacing:-.01em}h1{margin:0 0 .75rem;font-size:1.35rem;line-height:1.3}p{margin:0 0 1rem}',
  'strong.word{display:block;margin:0 0 1.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--page);font:650 1.35rem/1.4 ui-monospace,monospace;text-align:center}',
  'form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}label{flex:1 1 12rem;font-weight:600}form p{margin:0;flex:1 1 100%}form+form{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid var(--line);color:var(--muted);font-size:.925rem}',
  'input{display:block;width:100%;margin-top:.25rem}button,input,.button{min-height:2.5rem;padding:.4rem 1rem;border:1px solid var(--field);border-radius:.5rem;font:inherit;color:inherit;background:transparent;text-decoration:none}',
  'button{cursor:pointer}.button{display:inline-flex;align-items:center}button.primary,.button{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}',
].join('')

/** `target`: where a form may lead, besides the platform. */
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
<p class="brand">devtool</p>
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
<button class="primary" name="decision" value="allow">Log in</button>
<button name="decision" value="deny">Cancel</button>
</form>`

const account = (email: string): Html => html`<form method="post" action="/login/logout">
<p>You are ${email}.</p>
<button>Use another account</button>
</form>`

/** `asking`: the program that asks, in its own words. */
export type LoginConsent = {
  readonly asking: string
  readonly email: string
  readonly word: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export const consentPage = ({ action, asking, email, fields, word }: LoginConsent): string =>
  page(
    'Log this terminal in?',
    html`<p><b>${asking}</b> asks to act as <b>${email}</b>.</p>
<p>Continue only if you have started this, and your terminal shows</p>
<strong class="word">${word}</strong>
${decision(action, fields)}
${account(email)}`,
  )

/** `code`: the wrong code that was entered before. */
export const codePage = (email: string, code?: string): string =>
  page(
    'Log in a terminal',
    html`${code === undefined ? html`` : html`<p role="alert">There is no code ${code}. Compare it with your terminal.</p>`}
<form method="get" action="/login/device">
<label>Code that your terminal shows <input name="code" autocomplete="off" autofocus required maxlength="20"></label>
<button class="primary">Continue</button>
</form>
${account(email)}`,
  )

export const loggedOutPage = page(
  'You are logged out',
  html`<p>Terminals that you have logged in stay logged in.</p>
<a class="button" href="/">Log in again</a>`,
)

export const messagePage = (title: string, text: string): string => page(title, html`<p>${text}</p>`)
