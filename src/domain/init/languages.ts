/** Guesses a folder's programming language from its files, and what a development container for it needs. */

/**
 * `debug`: the port of the usual debugger. `start`: how such a program is usually started. `caches` are kept when the
 * container is replaced.
 */
export type Language = {
  readonly name: string
  readonly image: string
  readonly start: string
  readonly debug?: number
  readonly caches: ReadonlyArray<string>
}

type Rule = Language & { readonly marks: ReadonlyArray<string>; readonly ending: RegExp }

/** In order of precedence: a project with a package.json for its front end is often not a JavaScript project. */
const rules: ReadonlyArray<Rule> = [
  {
    name: 'go',
    image: 'golang:1',
    start: 'go run .',
    debug: 2345,
    caches: ['/go/pkg', '/root/.cache/go-build'],
    marks: ['go.mod'],
    ending: /\.go$/,
  },
  {
    name: 'rust',
    image: 'rust:1',
    start: 'cargo run',
    caches: ['/usr/local/cargo/registry'],
    marks: ['Cargo.toml'],
    ending: /\.rs$/,
  },
  {
    name: 'java',
    image: 'gradle:8-jdk21',
    start: 'gradle bootRun',
    debug: 5005,
    caches: ['/home/gradle/.gradle'],
    marks: ['build.gradle', 'build.gradle.kts'],
    ending: /\.kts$/,
  },
  {
    name: 'java',
    image: 'maven:3-eclipse-temurin-21',
    start: 'mvn spring-boot:run',
    debug: 5005,
    caches: ['/root/.m2'],
    marks: ['pom.xml'],
    ending: /\.java$/,
  },
  {
    name: '.net',
    image: 'mcr.microsoft.com/dotnet/sdk:8.0',
    start: 'dotnet watch run',
    caches: ['/root/.nuget/packages'],
    marks: [],
    ending: /\.(?:csproj|fsproj|sln|cs)$/,
  },
  {
    name: 'python',
    image: 'python:3',
    start: 'pip install -r requirements.txt, then python',
    debug: 5678,
    caches: ['/root/.cache/pip'],
    marks: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', 'manage.py'],
    ending: /\.py$/,
  },
  {
    name: 'ruby',
    image: 'ruby:3',
    start: 'bundle install, then bundle exec',
    debug: 1234,
    caches: ['/usr/local/bundle'],
    marks: ['Gemfile'],
    ending: /\.rb$/,
  },
  {
    name: 'php',
    image: 'composer:2',
    start: 'composer install, then php -S 0.0.0.0:8080',
    caches: ['/tmp/cache'],
    marks: ['composer.json'],
    ending: /\.php$/,
  },
  {
    name: 'node',
    image: 'node:22',
    start: 'npm install, then npm start',
    debug: 9229,
    caches: ['/root/.npm'],
    marks: ['package.json'],
    ending: /\.[cm]?[jt]sx?$/,
  },
]

/** Used when the language is unknown. */
export const anyLanguage: Language = {
  name: 'any language',
  image: 'debian:12',
  start: 'whatever starts it',
  caches: [],
}

/** By the names of the files: one that only a single language has decides, otherwise the most common extension. */
export const languageOf = (names: ReadonlyArray<string>): Language | undefined => {
  const marked = rules.find(({ marks }) => marks.some((mark) => names.includes(mark)))
  if (marked !== undefined) return marked
  const counts = rules.map((rule) => ({ rule, count: names.filter((name) => rule.ending.test(name)).length }))
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.rule
}
